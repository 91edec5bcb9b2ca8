package io.millrace.lab.planners.verification;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.command.Preemption.Mode;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaPeriod;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.ReclaimDelay;
import io.millrace.quota.domain.preemption.VictimOrder;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Scenario;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.quota.PreemptionMode;
import io.millrace.simulator.quota.QuotaScheduler;
import io.millrace.simulator.swf.SwfJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Two to four small clusters with random quotas, preemption limits, a processor-hour limit and random jobs, all determined by the seed. Checks
 * each plan against the rules, and at the end that every job has run and that no start exceeded the processor-hour limit.
 */
public final class RandomQuotaClusters {

    private static final int JOBS = 60;
    private static final int USERS = 4;
    private static final long ROUND_S = 60;
    private static final long LIMIT_CORE_S = 200_000;
    private static final long LARGEST_JOB_CORE_S = 16 * (60 + 7200 + 600);
    /** The maximum width of a job, so that every job can run. */
    private static final int MAY_BORROW = 16;
    /** The period in which jobs are submitted. */
    private static final int BUSY_S = 14_400;

    /** @param during cores during the period; equal to {@code cores} if there is none */
    private record Granted(int cores, int during, long from_s, long until_s) {
        int at(final long now_s) {
            return from_s <= now_s && now_s < until_s ? during : cores;
        }

        List<QuotaPeriod> periods() {
            return from_s == until_s
                    ? List.of()
                    : List.of(new QuotaPeriod(
                            Instant.ofEpochSecond(from_s), Instant.ofEpochSecond(until_s), during, null));
        }
    }

    /** Counts of events, which show whether a sample is meaningful. */
    public record Counts(int reclaims, int vetoes, int preemptions, int savings, int heldBack) {
        public Counts and(final Counts other) {
            return new Counts(
                    reclaims + other.reclaims,
                    vetoes + other.vetoes,
                    preemptions + other.preemptions,
                    savings + other.savings,
                    heldBack + other.heldBack);
        }
    }

    private final SplittableRandom random;
    private final int byDefault;
    private final ActiveQuotas quotas;
    private final Map<String, Granted> granted = new HashMap<>();
    /** Limits in core-seconds by user; other users have the default limit. */
    private final Map<UserName, Long> limits = new HashMap<>();
    /** Users whose borrowing is limited, with the cluster. */
    private final Set<String> limited = new HashSet<>();

    private final QuotaPolicy policy;
    private final List<QuotaScheduler> schedulers = new ArrayList<>();
    private final List<QuotaRuleChecker> witnesses = new ArrayList<>();
    private int heldBack;

    private RandomQuotaClusters(final long seed) {
        this.random = new SplittableRandom(seed);
        this.byDefault = random.nextInt(4);
        this.quotas = new ActiveQuotas(byDefault);
        this.policy = policy();
    }

    /** @throws IllegalStateException if a rule is violated; its message names seed and rule */
    public static Counts run(final long seed) {
        try {
            return new RandomQuotaClusters(seed).run();
        } catch (final IllegalStateException | NullPointerException e) {
            throw new IllegalStateException("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private QuotaPolicy policy() {
        final PreemptionLimits restraint = new PreemptionLimits(
                Duration.ofSeconds(random.nextInt(3) * 300L),
                random.nextBoolean() ? 2 : Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                rows());
        final ProcessorHourLimits hours = random.nextBoolean() ? ProcessorHourLimits.NONE : limits();
        return QuotaPolicy.DEFAULT
                .with(VictimOrder.values()[random.nextInt(VictimOrder.values().length)])
                .with(restraint)
                .with(new PreemptModePolicy(
                        random.nextBoolean()
                                ? List.of(Mode.CHECKPOINT, Mode.REQUEUE)
                                : List.of(Mode.REQUEUE, Mode.CHECKPOINT),
                        Duration.ofSeconds(random.nextInt(300))))
                .with(new ProcessorHourRules(hours, false, false, random.nextBoolean()));
    }

    private ProcessorHourLimits limits() {
        for (int user = 1; user <= USERS; user++) {
            if (random.nextInt(3) == 0) {
                limits.put(user(user), LARGEST_JOB_CORE_S + random.nextLong(LIMIT_CORE_S));
            }
        }
        return new ProcessorHourLimits(Optional.of(LIMIT_CORE_S), limits, Map.of(), GroupMemberships.NONE);
    }

    /** The table of delays. */
    private List<ReclaimDelay> rows() {
        final ReclaimDelay otherwise = ReclaimDelay.forAll(
                Duration.ofSeconds(random.nextInt(2) * 120L),
                Duration.ofSeconds(random.nextInt(2) * 30L),
                Duration.ofMinutes(10));
        final List<ReclaimDelay> rows = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            final int from = random.nextInt(8);
            rows.add(new ReclaimDelay(
                    from,
                    from + random.nextInt(16),
                    Duration.ofSeconds(random.nextInt(4) * 60L),
                    null,
                    null,
                    Duration.ofSeconds(random.nextInt(600)),
                    Duration.ofSeconds(random.nextInt(10)),
                    Duration.ofMinutes(10)));
        }
        rows.add(otherwise);
        return rows;
    }

    private Counts run() {
        final int clusters = 2 + random.nextInt(3);
        final List<Scenario.Site> sites = new ArrayList<>();
        for (int i = 0; i < clusters; i++) {
            sites.add(site(ClusterId.of("c" + i), 16 + random.nextInt(17)));
        }
        final int narrowest =
                sites.stream().mapToInt(Scenario.Site::cores).min().orElseThrow();
        final Scenario scenario = new Scenario(
                sites,
                job -> (int) (job.id() % clusters),
                EventOrder.PASS_PER_INSTANT,
                List.of(),
                Scenario.Staging.NONE,
                0.5,
                random.nextLong());
        final List<SimulatedJob> jobs = Simulation.run(jobs(narrowest / 2), scenario);
        for (final SimulatedJob job : jobs) {
            if (job.segments().isEmpty()) {
                throw new IllegalStateException("job " + job.id() + " never ran");
            }
        }
        return new Counts(
                witnesses.stream().mapToInt(QuotaRuleChecker::reclaims).sum(),
                witnesses.stream().mapToInt(QuotaRuleChecker::vetoes).sum(),
                jobs.stream().mapToInt(SimulatedJob::preemptions).sum(),
                witnesses.stream().mapToInt(QuotaRuleChecker::savings).sum(),
                heldBack);
    }

    private Scenario.Site site(final ClusterId cluster, final int cores) {
        for (int user = 1; user <= USERS; user++) {
            if (random.nextInt(5) > 0) {
                grant(user(user), cluster, cores);
            }
        }
        final PreemptionMode preemption = random.nextBoolean() ? PreemptionMode.REQUEUE : PreemptionMode.byLoss(20, 10);
        final QuotaScheduler.Rules rules = new QuotaScheduler.Rules(quotas, policy, preemption, ROUND_S);
        final QuotaRuleChecker witness = new QuotaRuleChecker(
                policy, (user, now_s) -> quota(user, cluster, now_s), user -> borrowingLimit(user, cluster));
        witnesses.add(witness);
        final int place = schedulers.size();
        final QuotaScheduler scheduler = new QuotaScheduler(
                cluster, cores, rules, user -> requestedElsewhere_core_s(place, user), (view, plan, now_s) -> {
                    limitHolds();
                    heldBack += held(plan);
                    witness.sees(view, plan, now_s);
                });
        schedulers.add(scheduler);
        return new Scenario.Site(cluster.value(), cores, () -> scheduler);
    }

    /** A user with limited borrowing has a constant quota, because jobs are not preempted when a quota shrinks. */
    private void grant(final UserName user, final ClusterId cluster, final int cores) {
        final boolean isLimited = random.nextBoolean();
        if (isLimited) {
            limited.add(user + "/" + cluster);
        }
        final long from_s = random.nextLong(BUSY_S);
        final Granted quota = new Granted(
                random.nextInt(cores / 2),
                random.nextInt(cores / 2),
                from_s,
                isLimited || random.nextBoolean() ? from_s : from_s + 60 + random.nextLong(BUSY_S));
        granted.put(user + "/" + cluster, quota);
        quotas.put(Quota.of(
                QuotaHolder.of(user),
                cluster,
                quota.cores(),
                new QuotaTerms(null, isLimited ? MAY_BORROW : null, null, quota.periods()),
                UserName.of("op"),
                "by chance",
                Instant.EPOCH,
                1));
    }

    private int quota(final UserName user, final ClusterId cluster, final long now_s) {
        final Granted quota = granted.get(user + "/" + cluster);
        return quota == null ? byDefault : quota.at(now_s);
    }

    private int borrowingLimit(final UserName user, final ClusterId cluster) {
        return limited.contains(user + "/" + cluster) ? MAY_BORROW : Integer.MAX_VALUE;
    }

    private static int held(final QuotaPlan plan) {
        return (int) plan.entitlements().values().stream()
                .filter(entitlement -> entitlement.level() == EntitlementLevel.HELD)
                .count();
    }

    private long requestedElsewhere_core_s(final int place, final UserName user) {
        long requested_core_s = 0;
        for (int i = 0; i < schedulers.size(); i++) {
            requested_core_s += i == place ? 0 : schedulers.get(i).requested_core_s(user);
        }
        return requested_core_s;
    }

    /** over all clusters. */
    private void limitHolds() {
        for (int user = 1; user <= USERS; user++) {
            final long requested_core_s = requestedElsewhere_core_s(-1, user(user));
            if (policy.hours().limits().isSome() && requested_core_s > limits.getOrDefault(user(user), LIMIT_CORE_S)) {
                throw new IllegalStateException("rule violated: Q-16; running jobs of u" + user + " request "
                        + requested_core_s + " core-seconds in total");
            }
        }
    }

    private static UserName user(final int number) {
        return UserName.of("u" + number);
    }

    private List<SwfJob> jobs(final int widest) {
        final List<SwfJob> drawn = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            final int cores = 1 + random.nextInt(widest);
            final long run = 60 + random.nextInt(7200);
            drawn.add(new SwfJob(0, random.nextInt(BUSY_S), run, cores, run + 600, 1 + random.nextInt(USERS), -1));
        }
        drawn.sort(Comparator.comparingLong(SwfJob::submit_s));
        final List<SwfJob> jobs = new ArrayList<>();
        for (final SwfJob job : drawn) {
            jobs.add(new SwfJob(
                    jobs.size() + 1, job.submit_s(), job.run_s(), job.cores(), job.requested_s(), job.user(), -1));
        }
        return jobs;
    }
}
