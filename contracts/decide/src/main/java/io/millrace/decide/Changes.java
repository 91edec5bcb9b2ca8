package io.millrace.decide;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.protocol.Topic;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes that a use case writes: events, and keys to remove from compacted topics. */
public final class Changes {

    /** A key to remove from a compacted topic. */
    public record Removal(Topic topic, String key, @Nullable ClusterId cluster) {}

    private final List<Event> events = new ArrayList<>();
    private final List<Removal> removals = new ArrayList<>();

    public void put(final Event event) {
        events.add(event);
    }

    public void putAll(final List<? extends Event> all) {
        events.addAll(all);
    }

    public void remove(final Topic topic, final List<String> keys, final @Nullable ClusterId cluster) {
        keys.forEach(key -> removals.add(new Removal(topic, key, cluster)));
    }

    /** Adds the changes that replace the published events of a compacted topic. The text of a key is the key of its record. */
    public void add(
            final Topic topic,
            final Published.Difference<?, ? extends Event> difference,
            final @Nullable ClusterId cluster) {
        putAll(difference.put());
        remove(topic, difference.removed().stream().map(Object::toString).toList(), cluster);
    }

    public List<Event> events() {
        return events;
    }

    public List<Removal> removals() {
        return removals;
    }
}
