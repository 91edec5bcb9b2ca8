package io.millrace.lab.planners.experiment.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.GanttSvg.Paint;
import io.millrace.simulator.GanttSvg.Palette;
import io.millrace.simulator.Scenario;
import io.millrace.simulator.Segment;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.quota.PreemptionMode;
import io.millrace.simulator.quota.QuotaScheduler;
import io.millrace.simulator.swf.SwfJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The published trial of the processor-hour limit (Leonenkov, the Lomonosov extension of Slurm): 1200 nodes, each counted as one processor.
 * {@code root} fills them with jobs, {@code stud} submits half an hour later. Job numbers are those of the paper; sizes are not published.
 */
final class TwoUserTrial {

    static final int NODES = 1200;
    static final Duration LIMIT = Duration.ofHours(9000);
    static final long ROOT = 1;
    static final long STUD = 2;

    private static final ClusterId CLUSTER = ClusterId.of("virtual");
    private static final long MINUTE_S = 60;
    private static final long HOUR_S = 3600;

    /** Colours runs by user. */
    enum ByUser implements Palette {
        PALETTE;

        @Override
        public List<Paint> legend() {
            return List.of(paint(ROOT), paint(STUD));
        }

        @Override
        public Paint of(final SimulatedJob job, final Segment run) {
            return paint(job.user());
        }

        private static Paint paint(final long user) {
            return user == ROOT ? new Paint("#4c78a8", "root") : new Paint("#f28e2b", "stud");
        }
    }

    /**
     * One of the two runs.
     *
     * @param whyHeld the first hold reason by job number
     */
    record Run(List<SimulatedJob> jobs, Map<Long, String> whyHeld) {}

    private TwoUserTrial() {}

    static List<SwfJob> jobs() {
        return List.of(
                job(682, 0, 300, 12, ROOT),
                job(683, 1, 200, 12, ROOT),
                job(685, 2, 150, 12, ROOT),
                job(694, 10, 550, 12, ROOT),
                job(700, 30, 200, 2, STUD),
                job(701, 31, 150, 4, STUD),
                job(702, 32, 300, 3, STUD),
                job(703, 33, 100, 1, STUD));
    }

    private static SwfJob job(final long id, final long minute, final int nodes, final long hours, final long user) {
        return new SwfJob(id, minute * MINUTE_S, hours * HOUR_S, nodes, hours * HOUR_S, user, -1);
    }

    static Run run(final boolean limited) {
        final ProcessorHourLimits limits = limited
                ? new ProcessorHourLimits(Optional.of(LIMIT.toSeconds()), Map.of(), Map.of(), GroupMemberships.NONE)
                : ProcessorHourLimits.NONE;
        final QuotaScheduler.Rules rules = new QuotaScheduler.Rules(
                new ActiveQuotas(0),
                QuotaPolicy.DEFAULT.with(new ProcessorHourRules(limits, false, false, false)),
                PreemptionMode.REQUEUE,
                1);
        final Map<JobKey, String> held = new LinkedHashMap<>();
        final Scenario scenario = Scenario.of(
                NODES,
                EventOrder.PASS_PER_INSTANT,
                () -> new QuotaScheduler(CLUSTER, NODES, rules, user -> 0, (view, plan, now_s) -> note(plan, held)));
        final List<SimulatedJob> jobs = new ArrayList<>(Simulation.run(jobs(), scenario));
        final Map<Long, String> whyHeld = new LinkedHashMap<>();
        held.forEach((job, why) -> whyHeld.put(Long.valueOf(job.id().local()), why));
        return new Run(jobs, whyHeld);
    }

    private static void note(final QuotaPlan plan, final Map<JobKey, String> held) {
        for (final Entitlement entitlement : plan.entitlements().values()) {
            if (entitlement.level() == EntitlementLevel.HELD) {
                held.putIfAbsent(entitlement.job(), entitlement.reason());
            }
        }
    }
}
