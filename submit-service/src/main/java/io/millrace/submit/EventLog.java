package io.millrace.submit;

import io.millrace.model.Event;
import io.millrace.submit.domain.Position;

/** Where the door writes. */
public interface EventLog {

    /**
     * Puts an event on the log and returns when all replicas have it.
     *
     * @throws io.millrace.submit.domain.Refused (unavailable) if it is not known whether the log has it
     */
    Position put(Event event);
}
