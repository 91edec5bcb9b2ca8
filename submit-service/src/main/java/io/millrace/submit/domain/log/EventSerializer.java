package io.millrace.submit.domain.log;

import io.millrace.model.Event;

/** Serializes events in the JSON form of the log. */
public interface EventSerializer {

    String write(Event event);

    /** @throws IllegalStateException if the text is not an event of this type */
    <E extends Event> E read(String text, Class<E> type);
}
