package io.millrace.quota.domain.account;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.quota.domain.quota.ProcessorHourLimits.Limit;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Checks the processor time that users' jobs request against their limits. Q-16: the sum over all clusters of allocated cores x requested
 * walltime must stay within the limit; a job that does not fit is held and released when it fits, oldest first. Q-17: a job without a
 * walltime limit never fits, nor does one that requests more than the whole limit; both have their own reason.
 */
public final class ProcessorHourCheck {

    private static final long UNLIMITED = Long.MAX_VALUE;

    /** Greater than any limit, and small enough that the sum over 2,000 clusters fits in a long. */
    private static final long BEYOND_core_s = 4_000_000_000_000_000L;

    private final ProcessorHourRules rules;
    private final Instant now;
    private final Map<PartitionName, Duration> longest = new HashMap<>();
    private final boolean limited;
    private final Map<UserName, Optional<Limit>> limits = new HashMap<>();
    private final Map<UserName, Long> here = new HashMap<>();
    private final ToLongFunction<UserName> elsewhere;
    private final Map<UserName, Long> inUseOrReleased = new HashMap<>();
    private final Map<UserName, Long> admit = new HashMap<>();
    private final Map<UserName, JobKey> firstHeld = new HashMap<>();

    /**
     * @param elsewhere core-seconds that each user's running jobs request on all other clusters
     */
    public ProcessorHourCheck(
            final QuotaView view,
            final ProcessorHourRules rules,
            final ToLongFunction<UserName> elsewhere,
            final Instant now) {
        this.rules = rules;
        this.limited = rules.limits().isSome();
        this.now = now;
        for (final PartitionObserved partition : view.observed().partitions()) {
            if (partition.walltimeLimit() != null) {
                longest.put(partition.partition(), partition.walltimeLimit());
            }
        }
        this.elsewhere = elsewhere;
    }

    /** Adds up what the running jobs request. Called before {@link #holdReason}. */
    void count(final QuotaAccounts accounts) {
        accounts.all()
                .forEach(account -> here.merge(account.owner(), account.requested_core_s(), ProcessorHourCheck::sum));
    }

    /** Core-seconds that the user's running jobs request on this cluster; jobs without a walltime limit do not count. */
    long requestedHere_core_s(final UserName user) {
        return Math.min(BEYOND_core_s, here.getOrDefault(user, 0L));
    }

    /** Core-seconds that the user's released waiting jobs request, after all jobs were checked; 0 if they do not count. */
    long queuedHere_core_s(final UserName user) {
        return rules.queued() ? Math.min(BEYOND_core_s, admit.getOrDefault(user, 0L)) : 0;
    }

    /** Why this waiting job is held; empty if it fits. Called in queue order. */
    Optional<String> holdReason(final JobObserved job) {
        final Optional<Limit> limit = limit(job.owner());
        if (limit.isEmpty()) {
            return Optional.empty();
        }
        final long wanted = requested(job);
        final Optional<String> why = beyond(job.owner(), wanted, limit.get()).or(() -> behind(job));
        if (why.isPresent() && wanted <= limit.get().core_s()) {
            firstHeld.putIfAbsent(job.owner(), job.job()); // a job that never fits must not block the others
        }
        return why;
    }

    /** Whether the tasks of an array fit together, of which the first fits. */
    boolean admits(final JobObserved tasks) {
        return limit(tasks.owner())
                .flatMap(limit -> beyond(tasks.owner(), requested(tasks), limit))
                .isEmpty();
    }

    /** Counts a released waiting job as if it ran. */
    void admit(final JobObserved job) {
        if (limit(job.owner()).isPresent()) {
            inUseOrReleased.put(job.owner(), sum(inUseOrReleased(job.owner()), requested(job)));
            admit.merge(job.owner(), requested(job), ProcessorHourCheck::sum);
        }
    }

    private Optional<Limit> limit(final UserName owner) {
        return limited ? limits.computeIfAbsent(owner, rules.limits()::of) : Optional.empty();
    }

    private Optional<String> beyond(final UserName owner, final long wanted, final Limit limit) {
        final String of = "processor-hour limit " + hours(limit.core_s()) + " of " + limit.of();
        if (wanted == UNLIMITED) {
            return Optional.of(of + ": the job has no walltime limit and fits within no limit; request a walltime");
        }
        if (wanted > limit.core_s()) {
            return Optional.of(of + ": the job requests " + hours(wanted) + " and never fits; request less");
        }
        final long others = inUseOrReleased(owner);
        return sum(others, wanted) > limit.core_s()
                ? Optional.of(
                        of + " (" + hours(wanted) + " requested; " + hours(others) + " in use or released before)")
                : Optional.empty();
    }

    /** What running jobs on all clusters and earlier released jobs request. */
    private long inUseOrReleased(final UserName user) {
        return inUseOrReleased.computeIfAbsent(user, u -> sum(requestedHere_core_s(u), elsewhere.applyAsLong(u)));
    }

    private Optional<String> behind(final JobObserved job) {
        final JobKey first = firstHeld.get(job.owner());
        return first == null || rules.overtaking()
                ? Optional.empty()
                : Optional.of("processor-hour limit: " + first.id() + " is older and does not fit");
    }

    private long requested(final JobObserved job) {
        final Duration walltime = bound(job);
        return walltime == null ? UNLIMITED : product(job.resources().cores(), walltime);
    }

    /** Core-seconds that a job which occupies cores requests; 0 without a walltime limit. */
    long running(final JobObserved job) {
        final Duration walltime = bound(job);
        if (walltime == null) {
            return 0;
        }
        if (rules.remaining() && job.state() instanceof JobState.Running running) {
            return product(job.resources().cores(), walltime.minus(Duration.between(running.startedAt(), now)));
        }
        return product(job.resources().cores(), walltime);
    }

    private @Nullable Duration bound(final JobObserved job) {
        return job.walltime() != null ? job.walltime() : longest.get(job.partition());
    }

    /** Core-seconds, at least 0. */
    private static long product(final int cores, final Duration time) {
        final long seconds = Math.max(0, time.toSeconds());
        return cores == 0 || seconds <= BEYOND_core_s / cores ? cores * seconds : BEYOND_core_s;
    }

    static long sum(final long one, final long other) {
        return one > UNLIMITED - other ? UNLIMITED : one + other;
    }

    /** Whole hours without decimals, others with one decimal place. */
    private static String hours(final long core_s) {
        return core_s % 3600 == 0 ? Long.toString(core_s / 3600) : String.format(Locale.ROOT, "%.1f", core_s / 3600.0);
    }
}
