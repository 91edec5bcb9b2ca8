package io.millrace.submit;

import io.millrace.model.Event;
import io.millrace.submit.domain.log.LogPosition;

/** Where the door writes. */
public interface EventPublisher {

    /**
     * Puts an event on the log and returns when all replicas have it.
     *
     * @throws io.millrace.submit.domain.RequestRefused (unavailable) if it is not known whether the log has it
     */
    LogPosition put(Event event);
}
