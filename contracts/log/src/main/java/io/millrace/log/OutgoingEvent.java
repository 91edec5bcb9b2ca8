package io.millrace.log;

import io.millrace.decide.Changes;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A change that a decider writes to the log. */
public sealed interface OutgoingEvent {

    /** For an event that its decider keeps as a whole. */
    UnaryOperator<Event> AS_IT_IS = event -> event;

    /** The topic. */
    Topic topic();

    /** The record key. */
    String key();

    /** The cluster that determines the partition; null: partition 0. */
    @Nullable
    ClusterId cluster();

    /**
     * Puts an event on its topic.
     *
     * @param completion adds what the decider does not keep, when the event is written
     */
    record Put(Event event, UnaryOperator<Event> completion) implements OutgoingEvent {

        /** The event as it is written. */
        public Event complete() {
            return completion.apply(event);
        }

        @Override
        public Topic topic() {
            return EventType.of(event).topic();
        }

        @Override
        public String key() {
            return event.key();
        }

        @Override
        public @Nullable ClusterId cluster() {
            return event.cluster();
        }
    }

    /**
     * Removes a key from a compacted topic with a tombstone.
     *
     * @param cluster the same cluster that the key's events carried, so that the tombstone reaches their partition
     */
    record Remove(Topic topic, String key, @Nullable ClusterId cluster) implements OutgoingEvent {
        public Remove {
            if (!topic.isCompacted()) {
                throw new IllegalArgumentException("'" + key + "' cannot be removed from " + topic.topicName()
                        + ": only keys of compacted topics can be removed");
            }
        }
    }

    static OutgoingEvent put(final Event event) {
        return new Put(event, AS_IT_IS);
    }

    static OutgoingEvent put(final Event event, final UnaryOperator<Event> completion) {
        return new Put(event, completion);
    }

    static OutgoingEvent remove(final Topic topic, final String key, final @Nullable ClusterId cluster) {
        return new Remove(topic, key, cluster);
    }

    static List<OutgoingEvent> of(final Changes changes) {
        final List<OutgoingEvent> outgoing = new ArrayList<>();
        changes.events().forEach(event -> outgoing.add(put(event)));
        changes.removals().forEach(gone -> outgoing.add(remove(gone.topic(), gone.key(), gone.cluster())));
        return outgoing;
    }
}
