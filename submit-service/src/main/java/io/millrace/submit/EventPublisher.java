package io.millrace.submit;

import io.millrace.model.Event;
import io.millrace.submit.domain.log.LogPosition;
import java.util.List;

/** Publishes events to the log. */
public interface EventPublisher {

    /**
     * Publishes an event and returns after all replicas stored it.
     *
     * @throws io.millrace.submit.domain.RequestRefused (unavailable) if it is unknown whether the event was stored
     */
    LogPosition publish(Event event);

    /**
     * Publishes events in this order and returns the position of the last one after all replicas stored all of them.
     *
     * @param events at least one
     * @throws io.millrace.submit.domain.RequestRefused (unavailable) if it is unknown which events were stored
     */
    LogPosition publishAll(List<? extends Event> events);
}
