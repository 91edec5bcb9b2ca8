package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.job.TargetRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Policies for tests. */
public final class Policies {

    private Policies() {}

    /** The defaults, with this performance order. */
    public static MigrationPolicy fast(final ClusterId... order) {
        return queueing(MigrationPolicy.DEFAULT.queueAfter(), order);
    }

    /** The defaults, with this performance order; jobs queue, and may move, after this time. */
    public static MigrationPolicy queueing(final Duration after, final ClusterId... order) {
        return MigrationPolicy.DEFAULT.withPerformanceOrder(List.of(order)).withQueueAfter(after);
    }

    /** The defaults with another target rule. */
    public static MigrationPolicy of(final TargetRule rule, final Map<ClusterId, Double> runTimeFactors) {
        return MigrationPolicy.DEFAULT.withRule(rule, runTimeFactors);
    }
}
