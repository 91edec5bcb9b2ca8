package io.millrace.simulator.experiment;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.Cutting;
import io.millrace.backfill.domain.Estimate;
import io.millrace.backfill.domain.Order;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is compared. */
final class Policies {

    static final String EASY = "EASY";
    static final String PUBLISHED = "checkpoint, p 0.1, t 1800 s, cost 0";
    static final String BETTER = "all knobs, cost ";
    static final String WITHOUT = "all knobs but checkpoints";
    static final int[] COSTS_S = {0, 60, 300};

    private Policies() {}

    /** By name, in the order of the tables. */
    static Map<String, BackfillPolicy> all() {
        final Map<String, BackfillPolicy> all = new LinkedHashMap<>();
        all.put(EASY, BackfillPolicy.EASY_FCFS);
        all.put("EASY, recent2", BackfillPolicy.EASY_FCFS.estimate(Estimate.RECENT2));
        all.put("EASY, shortest recent first", BackfillPolicy.EASY_FCFS.candidates(Order.RECENT));
        all.put("conservative", BackfillPolicy.CONSERVATIVE_FCFS);
        for (final double p : new double[] {0.1, 0.2, 0.4}) {
            for (final long t : new long[] {1800, 7200}) {
                for (final int cost : COSTS_S) {
                    all.put(
                            "checkpoint, p " + p + ", t " + t + " s, cost " + cost,
                            BackfillPolicy.CHECKPOINT_FCFS.cutting(
                                    Cutting.PUBLISHED.shrink(p).threshold(t).costs(cost, cost)));
                }
            }
        }
        final Cutting published = Cutting.PUBLISHED.shrink(0.2).threshold(1800).costs(60, 60);
        final BackfillPolicy recent = BackfillPolicy.CHECKPOINT_FCFS.candidates(Order.RECENT);
        all.put("+ shortest recent first, cost 60", recent.cutting(published));
        all.put("+ p learned, cost 60", recent.cutting(published.learned(true)));
        all.put("+ 5 % cut at most, cost 60", recent.cutting(published.share(0.05)));
        all.put(
                "+ back by the order, cost 60",
                recent.cutting(published.share(0.05).toHead(false)));
        all.put(WITHOUT, better(0).cutting(null));
        for (final int cost : COSTS_S) {
            all.put(BETTER + cost, better(cost));
        }
        all.put(
                "shortest first, p 0.05, t 0, cost 60",
                better(60)
                        .order(Order.SJF)
                        .candidates(Order.SMALLEST)
                        .cutting(cutting(60).shrink(0.05).threshold(0)));
        all.put(BETTER + "300, begun ahead", better(300).cutting(cutting(300).ahead(true)));
        return all;
    }

    private static BackfillPolicy better(final int cost_s) {
        return BackfillPolicy.CHECKPOINT_FCFS
                .order(Order.COMPACT)
                .candidates(Order.RECENT)
                .cutting(cutting(cost_s));
    }

    private static Cutting cutting(final int cost_s) {
        return Cutting.PUBLISHED
                .shrink(0.2)
                .threshold(7200)
                .share(0.05)
                .toHead(false)
                .costs(cost_s, cost_s);
    }
}
