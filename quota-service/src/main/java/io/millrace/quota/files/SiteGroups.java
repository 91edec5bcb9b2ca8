package io.millrace.quota.files;

import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.GroupTree;
import io.millrace.quota.domain.quota.QuotaFileMerge;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of users and projects, for quotas, limits of processor time and budgets. They are defined under {@code groups:} in the quota
 * file. The deprecated settings are used only if the file has no groups.
 */
public final class SiteGroups {

    private static final Logger LOG = LoggerFactory.getLogger(SiteGroups.class);

    private SiteGroups() {}

    /**
     * @param inFile groups of the quota file
     * @param inSettings users by group, from the settings
     * @throws IllegalArgumentException if both have groups
     */
    public static GroupMemberships of(
            final Map<QuotaHolder, Set<QuotaHolder>> inFile, final Map<String, Set<String>> inSettings) {
        if (inSettings.isEmpty()) {
            return GroupMemberships.of(tree(inFile));
        }
        final String move =
                "add them under 'groups:' in the quota file (millrace.quota.file) and remove the settings millrace.quota.groups."
                        + String.join(", millrace.quota.groups.", new TreeMap<>(inSettings).keySet());
        if (!inFile.isEmpty()) {
            throw new IllegalArgumentException("groups are defined in both the quota file and the settings: " + move);
        }
        LOG.warn("groups are defined in deprecated settings: {}", move);
        final List<QuotaGroup> tree = tree(holders(inSettings));
        GroupTree.flaw(tree).ifPresent(flaw -> LOG.warn("the groups in the settings are not a tree: {}", flaw));
        return members(tree);
    }

    /** In the settings a user may be in several groups, so the tree is not sufficient. */
    private static GroupMemberships members(final List<QuotaGroup> groups) {
        return new GroupMemberships(groups.stream()
                .flatMap(group -> group.members().stream()
                        .map(member -> Map.entry(member, group.group().name())))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toSet()))));
    }

    private static Map<QuotaHolder, Set<QuotaHolder>> holders(final Map<String, Set<String>> groups) {
        return groups.entrySet().stream()
                .collect(Collectors.toMap(
                        group -> new QuotaHolder(QuotaHolder.Kind.GROUP, group.getKey()),
                        group -> group.getValue().stream().map(QuotaHolder::of).collect(Collectors.toSet())));
    }

    static List<QuotaGroup> tree(final Map<QuotaHolder, Set<QuotaHolder>> groups) {
        return groups.entrySet().stream()
                .map(group -> new QuotaGroup(
                        group.getKey(), group.getValue(), QuotaFileMerge.FILE, "as read", Instant.EPOCH, 1))
                .toList();
    }
}
