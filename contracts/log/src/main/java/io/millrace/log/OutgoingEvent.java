package io.millrace.log;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.model.view.Changes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a decider wants to stand on the log. */
public sealed interface OutgoingEvent {

    /** Where it goes. */
    Topic topic();

    /** The record key. */
    String key();

    /** The cluster whose partition it goes to; null: partition 0. */
    @Nullable
    ClusterId cluster();

    /** Puts an event on its topic. */
    record Put(Event event) implements OutgoingEvent {
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
     * Takes a key off a compacted topic (a tombstone).
     *
     * @param cluster the same cluster that the key's events carried, so that the tombstone reaches their partition
     */
    record Remove(Topic topic, String key, @Nullable ClusterId cluster) implements OutgoingEvent {
        public Remove {
            if (!topic.isCompacted()) {
                throw new IllegalArgumentException("'" + key + "' cannot be removed from " + topic.topicName()
                        + ": only compacted topics forget a key");
            }
        }
    }

    static OutgoingEvent put(final Event event) {
        return new Put(event);
    }

    static OutgoingEvent remove(final Topic topic, final String key, final @Nullable ClusterId cluster) {
        return new Remove(topic, key, cluster);
    }

    static List<OutgoingEvent> of(final Changes changes) {
        final List<OutgoingEvent> says = new ArrayList<>();
        changes.events().forEach(event -> says.add(put(event)));
        changes.removals().forEach(gone -> says.add(remove(gone.topic(), gone.key(), gone.cluster())));
        return says;
    }
}
