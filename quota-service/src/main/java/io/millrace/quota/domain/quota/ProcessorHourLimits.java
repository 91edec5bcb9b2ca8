package io.millrace.quota.domain.quota;

import io.millrace.model.UserName;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
