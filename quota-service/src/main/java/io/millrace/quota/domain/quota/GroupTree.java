package io.millrace.quota.domain.quota;

import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tree of groups: the parent of each group, user and project. */
public final class GroupTree {

    private final Map<String, QuotaGroup> byKey = new HashMap<>();
    private final Map<QuotaHolder, QuotaHolder> above = new HashMap<>();

    void put(final QuotaGroup group) {
        remove(group.key());
        byKey.put(group.key(), group);
        group.members().forEach(member -> above.put(member, group.group()));
    }

    void remove(final String key) {
        final QuotaGroup removed = byKey.remove(key);
        if (removed != null) {
            removed.members().forEach(member -> above.remove(member, removed.group()));
        }
    }

    public @Nullable QuotaGroup group(final String key) {
        return byKey.get(key);
    }

    public Collection<QuotaGroup> all() {
        return Collections.unmodifiableCollection(byKey.values());
    }

    /** The holder and the groups above it, nearest first. A cycle, which only an invalid log could have, is followed once. */
    public List<QuotaHolder> pathOf(final QuotaHolder holder) {
        final List<QuotaHolder> path = new ArrayList<>();
        for (QuotaHolder next = holder; next != null && !path.contains(next); next = above.get(next)) {
            path.add(next);
        }
        return path;
    }

    /** Why these groups are not a tree; empty if they are. */
    public static Optional<String> flaw(final Collection<QuotaGroup> groups) {
        final Map<QuotaHolder, QuotaHolder> above = new HashMap<>();
        for (final QuotaGroup group : groups) {
            for (final QuotaHolder member : group.members().stream().sorted().toList()) {
                final QuotaHolder other = above.put(member, group.group());
                if (other != null) {
                    return Optional.of(
                            member + " is in " + other + " and in " + group.group() + ": remove it from one of them");
                }
            }
        }
        return groups.stream()
                .map(group -> cycle(group.group(), above))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> cycle(final QuotaHolder start, final Map<QuotaHolder, QuotaHolder> above) {
        final List<String> way = new ArrayList<>(List.of(start.toString()));
        final Set<QuotaHolder> seen = new HashSet<>();
        for (QuotaHolder next = above.get(start); next != null && seen.add(next); next = above.get(next)) {
            way.add(next.toString());
            if (next.equals(start)) {
                return Optional.of(start + " is within itself: " + String.join(" in ", way)
                        + ": remove one of them from the other");
            }
        }
        return Optional.empty();
    }
}
