package io.millrace.quota.files;

import io.millrace.model.policy.QuotaGroup;
import io.millrace.model.policy.QuotaHolder;
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
 * Who is in which group is said in one place, {@code groups:} of the quota file; limits, budgets and quotas all mean these. The older
 * settings {@code millrace.quota.groups.NAME} are taken while the file names none.
 */
public final class SiteGroups {

    private static final Logger LOG = LoggerFactory.getLogger(SiteGroups.class);

    private SiteGroups() {}

    /**
     * @param inFile as the quota file names them
     * @param inSettings users by group, as the settings name them
     * @throws IllegalArgumentException if both name groups
     */
    public static GroupMemberships of(
            final Map<QuotaHolder, Set<QuotaHolder>> inFile, final Map<String, Set<String>> inSettings) {
        if (inSettings.isEmpty()) {
            return GroupMemberships.of(tree(inFile));
        }
        final String move =
                "write them under 'groups:' of the quota file (millrace.quota.file) and take the settings millrace.quota.groups."
                        + String.join(", millrace.quota.groups.", new TreeMap<>(inSettings).keySet()) + " out";
        if (!inFile.isEmpty()) {
            throw new IllegalArgumentException(
                    "groups are named in the quota file and in the settings as well: " + move);
        }
        LOG.warn("groups are named in the settings, which a later release will not read: {}", move);
        final List<QuotaGroup> tree = tree(holders(inSettings));
        GroupTree.flaw(tree).ifPresent(flaw -> LOG.warn("of the groups in the settings {}", flaw));
        return members(tree);
    }

    /** A user of the settings may be in several groups, so the way up says too little. */
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
