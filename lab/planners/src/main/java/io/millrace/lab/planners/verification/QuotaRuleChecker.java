package io.millrace.lab.planners.verification;

import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Preemption;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.ReclaimDelay;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import io.millrace.simulator.quota.QuotaScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Checks every plan of one cluster against promise 4 and the rules of {@code docs/guide/quota.md} with a naive implementation that tries all
 * subsets of an owner's jobs.
 */
final class QuotaRuleChecker implements QuotaScheduler.PlanListener {

    private final QuotaPolicy policy;
    private final ToIntFunction<UserName> borrowingLimit;
    private final QuotaAt quotas;
    private long now_s;
    private int reclaims;
    private int vetoes;
    private int savings;

    /** A user's quota here at a second. */
    @FunctionalInterface
    interface QuotaAt {
        int cores(UserName user, long now_s);
    }

    /** @param borrowingLimit cores beyond the quota */
    QuotaRuleChecker(final QuotaPolicy policy, final QuotaAt quotas, final ToIntFunction<UserName> borrowingLimit) {
        this.policy = policy;
        this.quotas = quotas;
        this.borrowingLimit = borrowingLimit;
    }

    int reclaims() {
        return reclaims;
    }

    /** Victims that were checkpointed. */
    int savings() {
        return savings;
    }

    int vetoes() {
        return vetoes;
    }

    @Override
    public void sees(final QuotaView view, final QuotaPlan plan, final long second) {
        now_s = second;
        final Map<JobKey, JobObserved> running = new HashMap<>();
        final Map<JobKey, JobObserved> waiting = new HashMap<>();
        for (final JobObserved job : view.observed().jobs()) {
            (job.state().isWaiting() ? waiting : running).put(job.job(), job);
        }
        rights(plan, running, waiting);
        final Instant now = Instant.ofEpochSecond(now_s);
        final Map<JobKey, Action.Reclaim> reclaimed = new LinkedHashMap<>();
        for (final Command command : plan.reclaims()) {
            final Action.Reclaim reclaim = (Action.Reclaim) command.action();
            reclaimed.put(reclaim.beneficiary(), reclaim);
        }
        int idle = Objects.requireNonNull(view.observed().marker()).free().cores();
        for (final JobObserved job : inTurn(plan, waiting.values())) {
            final Action.Reclaim reclaim = reclaimed.remove(job.job());
            if (reclaim != null) {
                holds(cores(job) > idle, "Q-7: the beneficiary does not fit without the reclaim", job);
                idle -= reclaim(reclaim, idle, running, waiting, now);
                reclaims++;
            } else if (isWithinQuota(job, running) && right(plan, job) != EntitlementLevel.HELD) {
                if (cores(job) <= idle) {
                    idle -= cores(job); // it starts on them, so no later job can use them
                    running.put(job.job(), job.in(new JobState.Completing()));
                } else {
                    nobodyWaitsInVain(plan, job, idle, running, now);
                }
            }
        }
        if (!reclaimed.isEmpty()) {
            throw new IllegalStateException("rule violated: Q-7; no beneficiary waits among " + reclaimed.keySet());
        }
        vetoes += plan.vetoes().size();
    }

    /** by priority, then in order of submission. */
    private static List<JobObserved> inTurn(final QuotaPlan plan, final Collection<JobObserved> waiting) {
        return waiting.stream()
                .sorted(Comparator.comparingLong((JobObserved job) -> -Objects.requireNonNull(
                                        plan.entitlements().get(job.job()), "every job has an entitlement")
                                .priority())
                        .thenComparing(JobObserved::job, JobKey.BY_SUBMISSION))
                .toList();
    }

    private int quota(final UserName user) {
        return quotas.cores(user, now_s);
    }

    private boolean isWithinQuota(final JobObserved job, final Map<JobKey, JobObserved> running) {
        return used(job.owner(), running) + cores(job) <= quota(job.owner());
    }

    /** */
    private void rights(
            final QuotaPlan plan, final Map<JobKey, JobObserved> running, final Map<JobKey, JobObserved> waiting) {
        final Map<UserName, Integer> promised = new HashMap<>();
        running.values().forEach(job -> promised.merge(job.owner(), cores(job), Integer::sum));
        final Map<UserName, Integer> guaranteed = new HashMap<>();
        for (final JobObserved job : running.values()) {
            if (right(plan, job) == EntitlementLevel.GUARANTEED) {
                holds(!isWide(job), "Q-2", job);
                guaranteed.merge(job.owner(), cores(job), Integer::sum);
            }
        }
        for (final JobObserved job : running.values()) {
            final int quota = quota(job.owner());
            final int within = Math.min(quota, narrow(job.owner(), running));
            holds(used(job.owner(), running) - within <= borrowingLimit.applyAsInt(job.owner()), "Q-24", job);
            holds(guaranteed.getOrDefault(job.owner(), 0) >= Math.min(quota, narrow(job.owner(), running)), "Q-3", job);
        }
        for (final JobObserved job : waiting.values()) {
            if (right(plan, job) == EntitlementLevel.GUARANTEED) {
                final int all = promised.merge(job.owner(), cores(job), Integer::sum);
                holds(all <= quota(job.owner()), "Q-8", job);
            }
        }
    }

    /** Checks, and executes the reclaim on the checker's own state. Returns the idle cores that it uses in addition. */
    private int reclaim(
            final Action.Reclaim reclaim,
            final int idle,
            final Map<JobKey, JobObserved> running,
            final Map<JobKey, JobObserved> waiting,
            final Instant now) {
        final JobObserved beneficiary =
                Objects.requireNonNull(waiting.remove(reclaim.beneficiary()), "Q-7: the beneficiary waits");
        final int needed = cores(beneficiary);
        holds(used(beneficiary.owner(), running) + needed <= quota(beneficiary.owner()), "Q-7", beneficiary);
        holds(!mayReclaimFrom(beneficiary).isAfter(now), "Q-13", beneficiary);
        final Map<JobKey, Preemption> ways = new HashMap<>();
        reclaim.allPreemptions().forEach(way -> ways.put(way.victim(), way));
        int freed = 0;
        int smallest = Integer.MAX_VALUE;
        final Set<UserName> givers = new HashSet<>();
        for (final JobKey key : reclaim.victims()) {
            final JobObserved victim =
                    Objects.requireNonNull(running.remove(key), "Q-5: a victim runs and is preempted once");
            holds(!victim.owner().equals(beneficiary.owner()), "Q-5: the victim belongs to another user", victim);
            holds(isUnprotected(victim, now), "Q-12", victim);
            losesLeast(victim, ways.get(key), now);
            freed += cores(victim);
            smallest = Math.min(smallest, cores(victim));
            if (!isWide(victim)) {
                givers.add(victim.owner());
            }
        }
        for (final UserName giver : givers) {
            holds(narrow(giver, running) >= quota(giver), "Q-5: " + giver + " keeps the quota", beneficiary);
        }
        holds(idle + freed >= needed, "Q-7: the beneficiary fits at once", beneficiary);
        holds(idle + freed - smallest < needed, "Q-6: no victim is unnecessary", beneficiary);
        running.put(beneficiary.job(), beneficiary.in(new JobState.Completing()));
        return Math.max(0, needed - freed);
    }

    /** a victim is checkpointed if that loses less than its work since its start. */
    private void losesLeast(final JobObserved victim, final @Nullable Preemption way, final Instant now) {
        final Preemption taken = Objects.requireNonNull(way, "Q-30: each victim has a preemption mode");
        final JobState.Running run = (JobState.Running) victim.state();
        final long done_s = Duration.between(run.startedAt(), now).toSeconds();
        final long saving_s = victim.checkpoint() instanceof CheckpointMethod.Application method
                ? method.grace().plus(policy.modes().restartCost()).toSeconds()
                : Long.MAX_VALUE;
        final boolean saved = taken.mode() == Preemption.Mode.CHECKPOINT;
        holds(saved ? saving_s <= done_s : done_s <= saving_s, "Q-30", victim);
        holds(
                taken.lostCoreSeconds() == cores(victim) * (saved ? saving_s : done_s),
                "Q-30: lost core-seconds",
                victim);
        savings += saved ? 1 : 0;
    }

    /** Promise 4 and Q-9: a job within quota that does not start has a veto with the true reason. */
    private void nobodyWaitsInVain(
            final QuotaPlan plan,
            final JobObserved job,
            final int idle,
            final Map<JobKey, JobObserved> running,
            final Instant now) {
        holds(plan.vetoes().containsKey(job.job()), "Q-9: the job has a veto", job);
        if (mayReclaimFrom(job).isAfter(now)) {
            return;
        }
        holds(
                idle + mostFreeable(job.owner(), running, now) < cores(job),
                "promise 4: no preemption could free enough cores",
                job);
    }

    private int mostFreeable(final UserName beneficiary, final Map<JobKey, JobObserved> running, final Instant now) {
        final Map<UserName, List<Integer>> narrow = new HashMap<>();
        int most = 0;
        for (final JobObserved job : running.values()) {
            if (!job.owner().equals(beneficiary) && isUnprotected(job, now)) {
                if (isWide(job)) {
                    most += cores(job);
                } else {
                    narrow.computeIfAbsent(job.owner(), owner -> new ArrayList<>())
                            .add(cores(job));
                }
            }
        }
        for (final Map.Entry<UserName, List<Integer>> owner : narrow.entrySet()) {
            most += largestSum(owner.getValue(), narrow(owner.getKey(), running, true) - quota(owner.getKey()));
        }
        return most;
    }

    private static int largestSum(final List<Integer> sizes, final int bound) {
        int most = 0;
        for (int set = 0; set < 1 << sizes.size(); set++) {
            int sum = 0;
            for (int i = 0; i < sizes.size(); i++) {
                sum += (set >> i & 1) * sizes.get(i);
            }
            most = sum <= bound ? Math.max(most, sum) : most;
        }
        return most;
    }

    private boolean isUnprotected(final JobObserved job, final Instant now) {
        final PreemptionLimits restraint = policy.preemptionLimits();
        return job.state() instanceof JobState.Running running
                && job.restarts() < restraint.perJob()
                && !running.startedAt().plus(restraint.protectedRun()).isAfter(now);
    }

    private Instant mayReclaimFrom(final JobObserved job) {
        for (long waits_s = 0; ; waits_s++) {
            if (waits_s >= delay_s(cores(job), waits_s)) {
                return job.job().submittedAt().plusSeconds(waits_s);
            }
        }
    }

    /** The value of the first row that applies to a job of this size and wait. */
    private long delay_s(final int cores, final long waits_s) {
        for (final ReclaimDelay row : policy.preemptionLimits().delays()) {
            if (cores >= row.coresFrom()
                    && cores <= row.coresTo()
                    && waits_s >= row.waited().toSeconds()) {
                return Math.min(
                        row.delay().toSeconds() + cores * row.perCore().toSeconds(),
                        row.longest().toSeconds());
            }
        }
        return 0;
    }

    private static EntitlementLevel right(final QuotaPlan plan, final JobObserved job) {
        final Entitlement entitlement =
                Objects.requireNonNull(plan.entitlements().get(job.job()), "every job has an entitlement");
        return entitlement.level();
    }

    private boolean isWide(final JobObserved job) {
        return cores(job) > quota(job.owner());
    }

    private int narrow(final UserName owner, final Map<JobKey, JobObserved> running) {
        return narrow(owner, running, false);
    }

    private int narrow(final UserName owner, final Map<JobKey, JobObserved> running, final boolean seenToRun) {
        return running.values().stream()
                .filter(job -> job.owner().equals(owner) && !isWide(job))
                .filter(job -> !seenToRun || job.state() instanceof JobState.Running)
                .mapToInt(QuotaRuleChecker::cores)
                .sum();
    }

    private static int used(final UserName owner, final Map<JobKey, JobObserved> running) {
        return running.values().stream()
                .filter(job -> job.owner().equals(owner))
                .mapToInt(QuotaRuleChecker::cores)
                .sum();
    }

    private static int cores(final JobObserved job) {
        return job.resources().cores();
    }

    private static void holds(final boolean condition, final String rule, final JobObserved job) {
        if (!condition) {
            throw new IllegalStateException(
                    "rule violated: " + rule + "; " + job.job() + " of " + job.owner() + ", " + cores(job) + " cores");
        }
    }
}
