package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.job.WaitingJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.ClassPlacement;
import io.millrace.model.policy.PlacementTable;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Which clusters suit the class of a job (Bychkov et al. 2013, section 3): a job is moved only to a cluster that suits its class, only if
 * its run time there stays in the range of the class, and within the limit of moved jobs of the class. A job on its source cluster, and
 * one whose owner chose the cluster, is not moved.
 */
final class ClassRules {

    /** A job that is not classified after this time is placed without a class: classifier-service may be down. */
    static final Duration WAIT_FOR_CLASS = Duration.ofSeconds(10);

    private final MigrationPolicy policy;
    private final WaitingJobs waiting;
    private PlacementTable table = PlacementTable.EMPTY;

    ClassRules(final MigrationPolicy policy, final WaitingJobs waiting) {
        this.policy = policy;
        this.waiting = waiting;
    }

    /** @return whether it is another table */
    boolean use(final PlacementTable other) {
        final boolean changed = !table.equals(other);
        table = other;
        return changed;
    }

    Optional<Veto> veto(final GlobalJob job, final ClusterId to, final Instant now) {
        final JobSubmitted submission = job.submission();
        if (table.classes().isEmpty() || to.equals(submission.source()) || submission.target() != null) {
            return Optional.empty();
        }
        final Optional<String> jobClass = waiting.classOf(job.id());
        if (jobClass.isEmpty()) {
            return job.since().plus(WAIT_FOR_CLASS).isAfter(now)
                    ? Optional.of(VetoCode.NOT_CLASSIFIED.veto(to + ": the class of the job is not known yet"))
                    : Optional.empty();
        }
        return jobClass.flatMap(table::of).flatMap(rule -> veto(rule, submission, to));
    }

    private Optional<Veto> veto(final ClassPlacement rule, final JobSubmitted submission, final ClusterId to) {
        if (!rule.clusters().isEmpty() && !rule.clusters().contains(to)) {
            return Optional.of(VetoCode.CLUSTER_UNSUITABLE_FOR_CLASS.veto(to + ": does not suit class '"
                    + rule.jobClass() + "'; suitable clusters are "
                    + String.join(
                            ", ", rule.clusters().stream().map(ClusterId::value).toList())));
        }
        final double ratio = ratio(submission.source(), to);
        final long walltime_s = submission.spec().walltime().toSeconds();
        final long there_s = Math.round(walltime_s * ratio);
        return outside(rule, there_s)
                .map(range -> VetoCode.RUN_TIME_OUTSIDE_CLASS.veto(to + ": would run for " + minutes(there_s)
                        + " there (" + minutes(walltime_s) + " × " + String.format(Locale.ROOT, "%.2f", ratio)
                        + "); class '" + rule.jobClass() + "' " + range));
    }

    private static Optional<String> outside(final ClassPlacement rule, final long run_s) {
        if (rule.limitSeconds() != null && run_s > rule.limitSeconds()) {
            return Optional.of("runs for at most " + minutes(rule.limitSeconds()) + " on another cluster");
        }
        if (rule.longestSeconds() != null && run_s > rule.longestSeconds()) {
            return Optional.of("runs for at most " + minutes(rule.longestSeconds()));
        }
        return rule.shortestSeconds() != null && run_s < rule.shortestSeconds()
                ? Optional.of("runs for at least " + minutes(rule.shortestSeconds()))
                : Optional.empty();
    }

    /** The measured ratio of run times; without one, that of the configured factors. */
    private double ratio(final ClusterId from, final ClusterId to) {
        return table.measured(from, to)
                .map(measured -> measured.ratioPercent() / 100.0)
                .orElseGet(() -> policy.runTimeFactor(to) / policy.runTimeFactor(from));
    }

    private static String minutes(final long time_s) {
        return (time_s % 60 == 0 ? Long.toString(time_s / 60) : String.format(Locale.ROOT, "%.2f", time_s / 60.0))
                + " min";
    }
}
