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
 * Which events a handler wants: of one of these types and, where they are given, of one of these users and about one of these clusters.
 *
 * @param users empty: everybody's, and what is nobody's
 * @param clusters empty: of all, and what is about no single one
 */
public record EventFilter(Set<EventType> types, Set<UserName> users, Set<ClusterId> clusters) {

    /** @throws IllegalArgumentException if it could never let an event of one of its types pass */
    public EventFilter {
        types = Set.copyOf(types);
        users = Set.copyOf(users);
        clusters = Set.copyOf(clusters);
        if (types.isEmpty()) {
            throw new IllegalArgumentException("no 'events' are named");
        }
        if (!users.isEmpty()) {
            types.stream()
                    .filter(type -> !EventSubject.namesAUser(type))
                    .sorted()
                    .findFirst()
                    .ifPresent(type -> {
                        throw new IllegalArgumentException(
                                "events of type " + type.typeName() + " name no user: leave out 'users' or the type");
                    });
        }
    }

    /**
     * The types of one word: a type's name, or the beginning of some with a {@code *} behind it.
     *
     * @throws IllegalArgumentException if there is none
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
            throw new IllegalArgumentException("there is no event type '" + word + "'; there are "
                    + Arrays.stream(EventType.values())
                            .map(EventType::typeName)
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        return types;
    }

    /** Where the events stand. */
    public Set<Topic> topics() {
        return types.stream().map(EventType::topic).collect(Collectors.toCollection(() -> EnumSet.noneOf(Topic.class)));
    }

    /** Whether it can let an event of this type pass; spares reading the others. */
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
