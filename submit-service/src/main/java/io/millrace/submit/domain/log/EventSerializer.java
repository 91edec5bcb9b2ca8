package io.millrace.submit.domain.log;

import io.millrace.model.Event;

/** Events as text, in the form they have on the log. */
public interface EventSerializer {

    String write(Event event);

    /** @throws IllegalStateException if the text is not such an event: what we stored ourselves can be read */
    <E extends Event> E read(String text, Class<E> type);
}
