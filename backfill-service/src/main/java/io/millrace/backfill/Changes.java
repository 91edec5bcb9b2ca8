package io.millrace.backfill;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.protocol.Topic;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a use case wants on the log: events, and keys to take off compacted topics. */
public final class Changes {

    /** A key to take off a compacted topic. */
    public record Removal(Topic topic, String key, @Nullable ClusterId cluster) {}

    private final List<Event> events = new ArrayList<>();
    private final List<Removal> removals = new ArrayList<>();

    void put(final Event event) {
        events.add(event);
    }

    void putAll(final List<? extends Event> all) {
        events.addAll(all);
    }

    void remove(final Topic topic, final List<String> keys, final @Nullable ClusterId cluster) {
        keys.forEach(key -> removals.add(new Removal(topic, key, cluster)));
    }

    public List<Event> events() {
        return events;
    }

    public List<Removal> removals() {
        return removals;
    }
}
