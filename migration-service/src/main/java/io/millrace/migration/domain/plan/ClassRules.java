package io.millrace.migration.domain.plan;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.migration.domain.job.WaitingJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.job.GlobalJob;
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
    private final PlacementTable table;

    ClassRules(final MigrationPolicy policy, final WaitingJobs waiting, final PlacementTable table) {
        this.policy = policy;
        this.waiting = waiting;
        this.table = table;
    }

    /** Whether the class of the job matters and is not known yet. */
    boolean isAwaited(final GlobalJob job, final Instant now) {
        return !table.classes().isEmpty()
                && job.submission().target() == null
                && job.since().plus(WAIT_FOR_CLASS).isAfter(now)
                && waiting.classOf(job.id()).isEmpty();
    }

    /** Why the cluster is not considered before the class of the job is known; empty if it is. */
    Optional<Veto> awaited(final GlobalJob job, final ClusterId to) {
        return to.equals(job.submission().source())
                ? Optional.empty()
                : Optional.of(VetoCode.NOT_CLASSIFIED.veto(to + ": classifier-service has not classified the job yet"));
    }

    /** Why the cluster does not suit the class of a job; empty if it does. */
    Optional<Veto> veto(final RequestShape job, final ClusterId to) {
        return job.jobClass() == null || to.equals(job.source()) || job.isPinned()
                ? Optional.empty()
                : table.of(job.jobClass()).flatMap(rule -> veto(rule, job, to));
    }

    private Optional<Veto> veto(final ClassPlacement rule, final RequestShape job, final ClusterId to) {
        if (!rule.clusters().isEmpty() && !rule.clusters().contains(to)) {
            return Optional.of(VetoCode.CLUSTER_UNSUITABLE_FOR_CLASS.veto(to + ": does not suit class '"
                    + rule.jobClass() + "'; suitable clusters are "
                    + String.join(
                            ", ", rule.clusters().stream().map(ClusterId::value).toList())));
        }
        final double ratio = ratio(job.source(), to);
        final long walltime_s = job.walltime().toSeconds();
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
