package io.millrace.submit;

import io.millrace.model.Event;
import io.millrace.submit.domain.log.LogPosition;

/** Publishes events to the log. */
public interface EventPublisher {

    /**
     * Publishes an event and returns after all replicas stored it.
     *
     * @throws io.millrace.submit.domain.RequestRefused (unavailable) if it is unknown whether the event was stored
     */
    LogPosition publish(Event event);
}
