package io.millrace.quota.domain.quota;

import io.millrace.model.UserName;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How many processor-hours a user's running jobs may have asked for at once (Leonenkov, the Lomonosov extension of Slurm). Q-15: the
 * limit of the user counts; else the highest of those of the user's groups, for each member by itself; else the default one.
 *
 * @param byDefault core-seconds; empty: who is not named has no limit
 * @param users core-seconds by user
 * @param groups core-seconds by group
 * @param members who is in which group
 */
public record ProcessorHourLimits(
        Optional<Long> byDefault, Map<UserName, Long> users, Map<String, Long> groups, GroupMemberships members) {

    /** Nobody is limited. */
    public static final ProcessorHourLimits NONE =
            new ProcessorHourLimits(Optional.empty(), Map.of(), Map.of(), GroupMemberships.NONE);

    /** A limit, and by whose name it holds. */
    public record Limit(long core_s, String of) {}

    public ProcessorHourLimits {
        users = Map.copyOf(users);
        groups = Map.copyOf(groups);
    }

    /** Whether anybody is limited. */
    public boolean isSome() {
        return byDefault.isPresent() || !users.isEmpty() || !groups.isEmpty();
    }

    public Optional<Limit> of(final UserName user) {
        final Long own = users.get(user);
        if (own != null) {
            return Optional.of(new Limit(own, "user '" + user + "'"));
        }
        final Set<String> theirs = members.of(user);
        return groups.entrySet().stream()
                .filter(group -> theirs.contains(group.getKey()))
                .map(group -> new Limit(group.getValue(), "group '" + group.getKey() + "'"))
                .max(Comparator.comparingLong(Limit::core_s).thenComparing(Limit::of))
                .or(() -> byDefault.map(core_s -> new Limit(core_s, "the default")));
    }
}
