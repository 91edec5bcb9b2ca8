package io.millrace.quota.domain.quota;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All groups above each user and project, for limits of processor time and budgets.
 *
 * @param above group names by user or project
 */
public record GroupMemberships(Map<QuotaHolder, Set<String>> above) {

    public static final GroupMemberships NONE = new GroupMemberships(Map.of());

    public GroupMemberships {
        above = Map.copyOf(above);
    }

    /** Of the tree that these groups form. */
    public static GroupMemberships of(final Collection<QuotaGroup> groups) {
        final GroupTree tree = new GroupTree();
        groups.forEach(tree::put);
        final Map<QuotaHolder, Set<String>> above = new HashMap<>();
        for (final QuotaGroup group : groups) {
            for (final QuotaHolder member : group.members()) {
                if (member.kind() != QuotaHolder.Kind.GROUP) {
                    tree.pathOf(member).stream()
                            .skip(1)
                            .forEach(one -> above.computeIfAbsent(member, m -> new TreeSet<>())
                                    .add(one.name()));
                }
            }
        }
        return new GroupMemberships(above);
    }

    /** The groups of a user. */
    public Set<String> of(final UserName user) {
        return above.getOrDefault(QuotaHolder.of(user), Set.of());
    }

    /** The groups of a user and of the project a job is charged to, sorted by name. */
    public Set<String> of(final UserName user, final @Nullable ProjectName project) {
        if (above.isEmpty()) {
            return Set.of();
        }
        final Set<String> all = new TreeSet<>(of(user));
        if (project != null) {
            all.addAll(above.getOrDefault(QuotaHolder.of(project), Set.of()));
        }
        return all;
    }

    /** Whether the group has any members. */
    public boolean hasMembers(final String group) {
        return above.values().stream().anyMatch(groups -> groups.contains(group));
    }
}
