package io.millrace.lab.planners.experiment.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.Quota;
import io.millrace.quota.domain.preemption.UpqppRules;
import io.millrace.quota.domain.preemption.VictimOrder;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.simulator.ClusterScheduler;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Scenario;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.quota.HardLimits;
import io.millrace.simulator.quota.PreemptionMode;
import io.millrace.simulator.quota.QuotaScheduler;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.workload.HourlyJobs;
import io.millrace.simulator.workload.Range;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The setting of the published table 1: one cluster, users with equal quotas that add up to it, hourly rounds.
 *
 * @param cores 3000 as published
 * @param users 30 as published
 * @param hours simulated hours; not published for this table, 1000 for a similar one
 */
record UpqppSetting(int cores, int users, int hours, int seeds) {

    static final String HARD = "hard limits";
    static final String PAPER = "UPQPP, paper";
    static final String DEFAULT = "UPQPP, default";
    static final String LEAST_LOSS = "UPQPP, least loss";
    static final String CHECKPOINT = "UPQPP, checkpoints";
    static final String FREE = "no quotas";

    private static final ClusterId CLUSTER = ClusterId.of("virtual");
    private static final UserName PLANNER = UserName.of("experiment");
    private static final long HOUR_S = 3600;
    private static final long CHECKPOINT_S = 60;

    /** One kind of jobs. */
    record Jobs(String name, Range cores, Range length_h, double load, boolean campaigns) {}

    static List<Jobs> jobs() {
        final List<Jobs> all = new ArrayList<>();
        for (final int widest : new int[] {20, 50, 100}) {
            for (final int longest_h : new int[] {20, 100}) {
                all.add(new Jobs(
                        "c 1–" + widest + ", t 1–" + longest_h,
                        new Range(1, widest),
                        new Range(1, longest_h),
                        1,
                        false));
            }
        }
        final Range width = new Range(1, 50);
        final Range length = new Range(1, 20);
        all.add(new Jobs("c 1–50, t 1–20, load 0.7", width, length, 0.7, false));
        all.add(new Jobs("c 1–50, t 1–20, campaigns", width, length, 1, true));
        return all;
    }

    /** Cores guaranteed to each user. */
    int quota() {
        return cores / users;
    }

    List<SwfJob> trace(final Jobs jobs, final long seed) {
        final int campaign_h = jobs.campaigns() ? Math.max(1, hours / 4) : hours;
        return new HourlyJobs(jobs.cores(), jobs.length_h(), users, cores, hours, jobs.load(), campaign_h).jobs(seed);
    }

    /** The metrics of each policy on the same jobs, in the order of the tables. */
    Map<String, QuotaMetrics> run(final Jobs jobs, final long seed) {
        final List<SwfJob> trace = trace(jobs, seed);
        final Map<String, QuotaMetrics> figures = new LinkedHashMap<>();
        policies().forEach((name, scheduler) -> {
            final Scenario scenario = Scenario.of(cores, EventOrder.PASS_PER_INSTANT, scheduler);
            figures.put(name, QuotaMetrics.of(Simulation.run(trace, scenario), cores, hours, quota()));
        });
        return figures;
    }

    private Map<String, Supplier<ClusterScheduler>> policies() {
        final QuotaPolicy usual = QuotaPolicy.DEFAULT;
        final Map<String, Supplier<ClusterScheduler>> all = new LinkedHashMap<>();
        all.put(HARD, () -> new HardLimits(cores, quota(), HOUR_S));
        all.put(PAPER, upqpp(quota(), usual.with(UpqppRules.PAPER), PreemptionMode.REQUEUE));
        all.put(DEFAULT, upqpp(quota(), usual, PreemptionMode.REQUEUE));
        all.put(LEAST_LOSS, upqpp(quota(), usual.with(VictimOrder.LEAST_LOSS), PreemptionMode.REQUEUE));
        all.put(CHECKPOINT, upqpp(quota(), usual, PreemptionMode.checkpoint(CHECKPOINT_S, CHECKPOINT_S)));
        all.put(FREE, upqpp(0, usual, PreemptionMode.REQUEUE));
        return all;
    }

    private Supplier<ClusterScheduler> upqpp(
            final int quota, final QuotaPolicy policy, final PreemptionMode preemption) {
        return () -> {
            final ActiveQuotas book = new ActiveQuotas(0);
            for (int user = 1; user <= users; user++) {
                book.put(new Quota(UserName.of("u" + user), CLUSTER, quota, PLANNER, "experiment", Instant.EPOCH, 1));
            }
            return new QuotaScheduler(CLUSTER, cores, new QuotaScheduler.Rules(book, policy, preemption, HOUR_S));
        };
    }
}
