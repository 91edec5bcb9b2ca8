package io.millrace.submit.domain.handler;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.UserName;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects the events of a handler by type and, optionally, by user and by cluster.
 *
 * @param users empty: all users, and events without a user
 * @param clusters empty: all clusters, and events without a cluster
 */
public record EventFilter(Set<EventType> types, Set<UserName> users, Set<ClusterId> clusters) {

    /** @throws IllegalArgumentException if no event of one of its types could match */
    public EventFilter {
        types = Set.copyOf(types);
        users = Set.copyOf(users);
        clusters = Set.copyOf(clusters);
        if (types.isEmpty()) {
            throw new IllegalArgumentException("'events' is empty");
        }
        if (!users.isEmpty()) {
            types.stream()
                    .filter(type -> !EventSubject.namesAUser(type))
                    .sorted()
                    .findFirst()
                    .ifPresent(type -> {
                        throw new IllegalArgumentException(
                                "events of type " + type.typeName() + " have no user; remove 'users' or the type");
                    });
        }
    }

    /**
     * The event types of a pattern: the name of a type, or a prefix followed by {@code *}.
     *
     * @throws IllegalArgumentException if no type matches
     */
    public static Set<EventType> types(final String word) {
        final boolean beginning = word.endsWith("*");
        final String name = beginning ? word.substring(0, word.length() - 1) : word;
        final Set<EventType> types = Arrays.stream(EventType.values())
                .filter(type -> beginning
                        ? type.typeName().startsWith(name)
                        : type.typeName().equals(name))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(EventType.class)));
        if (types.isEmpty()) {
            throw new IllegalArgumentException("event type '" + word + "' not found; event types: "
                    + Arrays.stream(EventType.values())
                            .map(EventType::typeName)
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        return types;
    }

    /** The topics of the selected types. */
    public Set<Topic> topics() {
        return types.stream().map(EventType::topic).collect(Collectors.toCollection(() -> EnumSet.noneOf(Topic.class)));
    }

    /** Whether an event of this type can match, so that others need not be parsed. */
    public boolean mayWant(final EventType type) {
        return types.contains(type);
    }

    public boolean wants(final Event event) {
        if (!mayWant(EventType.of(event))) {
            return false;
        }
        final EventSubject about = EventSubject.of(event);
        return (users.isEmpty() || (about.user() != null && users.contains(about.user())))
                && (clusters.isEmpty() || about.clusters().stream().anyMatch(clusters::contains));
    }
}
