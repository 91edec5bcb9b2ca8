package io.millrace.backfill;

import io.millrace.model.Backoff;
import io.millrace.backfill.site.SiteFile;
import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.backfill.domain.planner.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.planner.CheckpointPreemptionPolicy.Uncheckpointable;
import io.millrace.backfill.domain.planner.CheckpointPreemptionPolicy.VictimOrder;
import io.millrace.backfill.domain.job.Estimate;
import io.millrace.backfill.domain.job.JobOrder;
import io.millrace.backfill.domain.live.StartSettings;
import io.millrace.model.view.RetryPolicy;
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
     * Who comes first: priority (guaranteed work before borrowed work, then by submission), fcfs (submission alone), sjf (the shortest by
     * the estimate), recent, smallest, expansion (see the guide).
     */
    @WithDefault("priority")
    JobOrder order();

    /** In which order the jobs behind the reservations are tried; unset: the same order. */
    Optional<JobOrder> candidates();

    /** From what run times are foreseen: requested, recent2 (mean of the user's last two) or class. Only requested is an upper bound. */
    @WithDefault("requested")
    Estimate estimate();

    /** How many waiting jobs hold a reservation: 0 strict order without backfill, 1 EASY, a number above, or all (conservative). */
    @WithDefault("1")
    String reservations();

    /**
     * Who holds the first reservation keeps it until it starts, whoever of the same right comes before it meanwhile: so heads start on time
     * also in orders that move with time, with what past runs teach, or with priorities. Guaranteed work outranks it all the same.
     */
    @WithDefault("true")
    boolean keepsHead();

    /** Checkpoint backfill; unset: nobody is cut. */
    Checkpoint checkpoint();

    /** YAML file with licences and maintenance windows of clusters; unset: none. */
    Optional<Path> siteFile();

    /** How long a start may wait for its agent; at most an hour. */
    @WithDefault("1m")
    Duration startValidity();

    /** A cluster whose newest revision is older than this is silent: nothing is started there. */
    @WithDefault("2m")
    Duration silentAfter();

    /** Pause after a start that failed; doubles with each further failure. */
    @WithDefault("15s")
    Duration firstPause();

    /** The longest such pause. */
    @WithDefault("10m")
    Duration longestPause();

    /** Checkpoint backfill: jobs overtake on a shrunk estimate, and are saved and put back when the job they overtook is due. */
    interface Checkpoint {

        @WithDefault("false")
        boolean enabled();

        /** The factor p: so much of its estimate a job is expected to need. */
        @WithDefault("0.1")
        double shrink();

        /** Only jobs with a longer estimate are shrunk. */
        @WithDefault("30m")
        Duration threshold();

        /** Takes p from what jobs of that class, else of that user, needed so far. */
        @WithDefault("false")
        boolean learn();

        /** How long a checkpoint takes. */
        @WithDefault("60s")
        Duration cost();

        /** How long a restart takes. */
        @WithDefault("60s")
        Duration restartCost();

        /** A job is shrunk only if checkpoint and restart together take at most this share of its estimate. */
        @WithDefault("0.25")
        double worth();

        /** Whom to cut first: largest, fewest-cores, longest-left or newest. */
        @WithDefault("largest")
        VictimOrder victims();

        /** Begins checkpoints so early that the job they are taken for starts on time. */
        @WithDefault("true")
        boolean ahead();

        /** How often one job may be cut. */
        @WithDefault("1")
        int cutsPerJob();

        /** Of all jobs so far, this share may be cut at most, those counted that still may be; 1: no such limit. */
        @WithDefault("1")
        double share();

        /** A job that was cut waits before the others of its right; if not, where the order puts it. */
        @WithDefault("true")
        boolean toHead();

        /** What becomes of jobs that cannot be saved: excluded, or requeue (their work is lost). */
        @WithDefault("excluded")
        Uncheckpointable uncheckpointable();
    }

    default PlannerSettings rules() {
        return new PlannerSettings(
                policy(),
                new StartSettings(startValidity(), silentAfter(), new RetryPolicy(new Backoff(firstPause(), longestPause()))),
                siteFile().map(SiteFile::read).orElse(Map.of()));
    }

    private BackfillPolicy policy() {
        final BackfillPolicy policy = new BackfillPolicy(order(), depth(reservations()))
                .estimate(estimate())
                .keepsHead(keepsHead());
        final BackfillPolicy ordered = policy.candidates(candidates().orElse(order()));
        return checkpoint().enabled() ? ordered.preemption(cutting(checkpoint())) : ordered;
    }

    private static CheckpointPreemptionPolicy cutting(final Checkpoint knobs) {
        return new CheckpointPreemptionPolicy(
                knobs.shrink(),
                knobs.threshold().toSeconds(),
                knobs.learn(),
                knobs.cost().toSeconds(),
                knobs.restartCost().toSeconds(),
                knobs.worth(),
                knobs.victims(),
                knobs.ahead(),
                knobs.cutsPerJob(),
                knobs.uncheckpointable(),
                knobs.toHead(),
                knobs.share());
    }

    private static int depth(final String reservations) {
        if (reservations.equals("all")) {
            return BackfillPolicy.ALL;
        }
        try {
            return Integer.parseInt(reservations);
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(
                    "millrace.backfill.reservations is '" + reservations + "'; expected a number, or all", e);
        }
    }
}
