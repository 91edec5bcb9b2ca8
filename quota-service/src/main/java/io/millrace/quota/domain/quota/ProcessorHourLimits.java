package io.millrace.quota.domain.quota;

import io.millrace.model.UserName;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.QuotaHolder;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the processor time that a user's running jobs may request (Leonenkov, the Lomonosov extension of Slurm). Q-15: the user's
 * own limit; else the highest of the user's groups, for each member separately; else the default.
 *
 * @param byDefault core-seconds; empty: other users are unlimited
 * @param users core-seconds by user
 * @param groups core-seconds by group
 * @param members the groups of each user
 */
public record ProcessorHourLimits(
        Optional<Long> byDefault, Map<UserName, Long> users, Map<String, Long> groups, GroupMemberships members) {

    /** No limits. */
    public static final ProcessorHourLimits NONE =
            new ProcessorHourLimits(Optional.empty(), Map.of(), Map.of(), GroupMemberships.NONE);

    /** A limit and its holder. */
    public record Limit(long core_s, String of) {}

    public ProcessorHourLimits {
        users = Map.copyOf(users);
        groups = Map.copyOf(groups);
    }

    /** These limits, with those that are on the log in place of those of the same holders. */
    public ProcessorHourLimits with(final Collection<BudgetSet> sets) {
        final Map<UserName, Long> ofUsers = new HashMap<>(users);
        final Map<String, Long> ofGroups = new HashMap<>(groups);
        Optional<Long> others = byDefault;
        for (final BudgetSet set : sets) {
            final QuotaHolder holder = set.holder();
            final Long core_s = set.limitCoreSeconds();
            if (holder == null) {
                others = Optional.ofNullable(core_s);
            } else if (holder.kind() == QuotaHolder.Kind.USER) {
                put(ofUsers, UserName.of(holder.name()), core_s);
            } else if (holder.kind() == QuotaHolder.Kind.GROUP) {
                put(ofGroups, holder.name(), core_s);
            }
        }
        return new ProcessorHourLimits(others, ofUsers, ofGroups, members);
    }

    private static <K> void put(final Map<K, Long> limits, final K of, final @Nullable Long core_s) {
        if (core_s == null) {
            limits.remove(of);
        } else {
            limits.put(of, core_s);
        }
    }

    /** Whether there are any limits. */
    public boolean isSome() {
        return byDefault.isPresent() || !users.isEmpty() || !groups.isEmpty();
    }

    public Optional<Limit> of(final UserName user) {
        final Long own = users.get(user);
        if (own != null) {
            return Optional.of(new Limit(own, "user '" + user + "'"));
        }
        final Set<String> memberOf = members.of(user);
        return groups.entrySet().stream()
                .filter(group -> memberOf.contains(group.getKey()))
                .map(group -> new Limit(group.getValue(), "group '" + group.getKey() + "'"))
                .max(Comparator.comparingLong(Limit::core_s).thenComparing(Limit::of))
                .or(() -> byDefault.map(core_s -> new Limit(core_s, "the default")));
    }
}
