package io.millrace.model.view;

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

    public void put(final Event event) {
        events.add(event);
    }

    public void putAll(final List<? extends Event> all) {
        events.addAll(all);
    }

    public void remove(final Topic topic, final List<String> keys, final @Nullable ClusterId cluster) {
        keys.forEach(key -> removals.add(new Removal(topic, key, cluster)));
    }

    /** Adds what makes the standing events of a compacted topic the wanted ones. */
    public void add(final Topic topic, final Published.Difference<?> difference, final @Nullable ClusterId cluster) {
        putAll(difference.put());
        remove(topic, difference.removed(), cluster);
    }

    public List<Event> events() {
        return events;
    }

    public List<Removal> removals() {
        return removals;
    }
}
