package io.millrace.lab.planners.experiment.backfill;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.Estimate;
import io.millrace.backfill.domain.JobOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/** The policies that the checkpoint experiment compares. */
final class ComparedPolicies {

    static final String EASY = "EASY";
    static final String PUBLISHED = "checkpoint, p 0.1, t 1800 s, cost 0";
    static final String BETTER = "all settings, cost ";
    static final String WITHOUT = "all settings except checkpoints";
    static final int[] COSTS_S = {0, 60, 300};

    private ComparedPolicies() {}

    /** Policies by name, in the order of the tables. */
    static Map<String, BackfillPolicy> all() {
        final Map<String, BackfillPolicy> all = new LinkedHashMap<>();
        all.put(EASY, BackfillPolicy.EASY_FCFS);
        all.put("EASY, recent2", BackfillPolicy.EASY_FCFS.estimate(Estimate.RECENT2));
        all.put("EASY, shortest recent first", BackfillPolicy.EASY_FCFS.candidates(JobOrder.RECENT));
        all.put("conservative", BackfillPolicy.CONSERVATIVE_FCFS);
        for (final double p : new double[] {0.1, 0.2, 0.4}) {
            for (final long t : new long[] {1800, 7200}) {
                for (final int cost : COSTS_S) {
                    all.put(
                            "checkpoint, p " + p + ", t " + t + " s, cost " + cost,
                            BackfillPolicy.CHECKPOINT_FCFS.preemption(CheckpointPreemptionPolicy.PUBLISHED
                                    .shrink(p)
                                    .threshold(t)
                                    .costs(cost, cost)));
                }
            }
        }
        final CheckpointPreemptionPolicy published =
                CheckpointPreemptionPolicy.PUBLISHED.shrink(0.2).threshold(1800).costs(60, 60);
        final BackfillPolicy recent = BackfillPolicy.CHECKPOINT_FCFS.candidates(JobOrder.RECENT);
        all.put("+ shortest recent first, cost 60", recent.preemption(published));
        all.put("+ p learned, cost 60", recent.preemption(published.learned(true)));
        all.put("+ at most 5 % preempted, cost 60", recent.preemption(published.maxPreemptedShare(0.05)));
        all.put(
                "+ requeued in order, cost 60",
                recent.preemption(published.maxPreemptedShare(0.05).requeueAtHead(false)));
        all.put(WITHOUT, better(0).preemption(null));
        for (final int cost : COSTS_S) {
            all.put(BETTER + cost, better(cost));
        }
        all.put(
                "shortest first, p 0.05, t 0, cost 60",
                better(60)
                        .order(JobOrder.SJF)
                        .candidates(JobOrder.SMALLEST)
                        .preemption(preemption(60).shrink(0.05).threshold(0)));
        all.put(
                BETTER + "300, checkpoints ahead",
                better(300).preemption(preemption(300).checkpointAhead(true)));
        return all;
    }

    private static BackfillPolicy better(final int cost_s) {
        return BackfillPolicy.CHECKPOINT_FCFS
                .order(JobOrder.COMPACT)
                .candidates(JobOrder.RECENT)
                .preemption(preemption(cost_s));
    }

    private static CheckpointPreemptionPolicy preemption(final int cost_s) {
        return CheckpointPreemptionPolicy.PUBLISHED
                .shrink(0.2)
                .threshold(7200)
                .maxPreemptedShare(0.05)
                .requeueAtHead(false)
                .costs(cost_s, cost_s);
    }
}
