package io.millrace.backfill;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy.Uncheckpointable;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy.VictimOrder;
import io.millrace.backfill.domain.Estimate;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.backfill.site.SiteFile;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The settings of backfill-service. */
@ConfigMapping(prefix = "millrace.backfill")
public interface BackfillConfig {

    /**
     * What a live cluster needs beyond the published policy: checkpoints begin early enough for the job with the reservation to start on time,
     * and an estimate is shrunk only if checkpoint and restart together take at most a quarter of it.
     */
    CheckpointPreemptionPolicy LIVE =
            CheckpointPreemptionPolicy.PUBLISHED.maxCostShare(0.25).checkpointAhead(true);

    /**
     * Order of waiting jobs: priority (guaranteed before borrowed work, then by priority), fcfs (by submission), sjf (shortest estimate
     * first), recent, smallest, expansion or compact (see the backfill guide).
     */
    @WithDefault("priority")
    JobOrder order();

    /** Order in which jobs behind the reservations are tried; unset: the same order. */
    Optional<JobOrder> candidates();

    /**
     * Source of run time estimates: requested (walltime), recent2 (mean of the user's last two run times), class (0.9 quantile of the
     * job's class) or published (by classifier-service, from similar jobs; also published-p50, published-p80, published-p95 and
     * published-recent2, its quantiles and the mean of the last two). Only requested is an upper bound.
     */
    @WithDefault("requested")
    Estimate estimate();

    /** Number of waiting jobs with a reservation: 0 (strict order, no backfill), 1 (EASY), a greater number, or all (conservative). */
    @WithDefault("1")
    String reservations();

    /**
     * The job with the first reservation keeps it until it starts, even if another job of the same entitlement level moves ahead of it in
     * order. Guaranteed work still takes precedence over borrowed work.
     */
    @WithDefault("true")
    boolean keepHead();

    /** Checkpoint backfill. */
    Checkpoint checkpoint();

    /** YAML file with licences and maintenance windows by cluster; unset: none. */
    Optional<Path> siteFile();

    /** Checkpoint backfill: jobs start on a shrunk estimate, and are checkpointed and requeued if a reservation is due while they run. */
    interface Checkpoint {
        /** Enables checkpoint backfill. */
        @WithDefault("false")
        boolean enabled();

        /** Factor p: the share of its estimate that a job is expected to need; above 0, below 1. */
        @WithDefault("0.1")
        double shrink();

        /** Only estimates longer than this are shrunk. */
        @WithDefault("30m")
        Duration threshold();

        /** Takes p from past runs of the job's class, else of its user. */
        @WithDefault("false")
        boolean learn();

        /** Duration of a checkpoint. */
        @WithDefault("60s")
        Duration cost();

        /** Duration of a restart. */
        @WithDefault("60s")
        Duration restartCost();

        /** Which jobs are preempted first: largest, fewest-cores, longest-left or newest. */
        @WithDefault("largest")
        VictimOrder victims();

        /** How often one job may be preempted. */
        @WithDefault("1")
        int preemptionsPerJob();

        /** Maximum share of all jobs that is preempted; running jobs that can still be preempted count as preempted. 1: no limit. */
        @WithDefault("1")
        double maxPreemptedShare();

        /** Jobs without checkpoint support: excluded (never shrunk), or requeue (shrunk; their work is lost if they are preempted). */
        @WithDefault("excluded")
        Uncheckpointable uncheckpointable();
    }

    default PlannerSettings rules() {
        return new PlannerSettings(policy(), siteFile().map(SiteFile::read).orElse(Map.of()));
    }

    private BackfillPolicy policy() {
        final BackfillPolicy policy = new BackfillPolicy(order(), depth(reservations()))
                .estimate(estimate())
                .keepsHead(keepHead());
        final BackfillPolicy ordered = policy.candidates(candidates().orElse(order()));
        return checkpoint().enabled() ? ordered.preemption(preemption(checkpoint())) : ordered;
    }

    private static CheckpointPreemptionPolicy preemption(final Checkpoint settings) {
        return LIVE.shrink(settings.shrink())
                .threshold(settings.threshold().toSeconds())
                .learned(settings.learn())
                .costs(settings.cost().toSeconds(), settings.restartCost().toSeconds())
                .victimOrder(settings.victims())
                .preemptionsPerJob(settings.preemptionsPerJob())
                .uncheckpointable(settings.uncheckpointable())
                .maxPreemptedShare(settings.maxPreemptedShare());
    }

    private static int depth(final String reservations) {
        if (reservations.equals("all")) {
            return BackfillPolicy.ALL;
        }
        try {
            return Integer.parseInt(reservations);
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(
                    "millrace.backfill.reservations must be a number or all, got '" + reservations + "'", e);
        }
    }
}
