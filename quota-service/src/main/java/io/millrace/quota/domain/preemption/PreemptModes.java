package io.millrace.quota.domain.preemption;

import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Preemption.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The preemption mode of each job of a cluster and the work it loses. Q-30: of the modes that the site allows, the cluster supports and
 * the job permits, the one that loses least. Q-31: a suspension frees cores only.
 */
public final class PreemptModes {

    /** The resources that a victim releases for its beneficiary. */
    public enum Released {
        /** At least its cores. */
        CORES,
        /** All its resources. */
        EVERYTHING
    }

    private final PreemptModePolicy site;
    private final Set<Capability> offered;
    private final Instant now;

    public PreemptModes(final PreemptModePolicy site, final Set<Capability> offered, final Instant now) {
        this.site = site;
        this.offered = offered;
        this.now = now;
    }

    /** The release that most jobs can provide. Without suspension, a job that releases cores releases everything. */
    public Released leastRelease() {
        return site.allowed().contains(Mode.SUSPEND) && offered.contains(Capability.SUSPEND)
                ? Released.CORES
                : Released.EVERYTHING;
    }

    /** Whether there is a mode. */
    public boolean areAny(final AllocatedJob job, final Released freeing) {
        for (final Mode mode : site.allowed()) {
            if (isPossible(mode, job, freeing)) {
                return true;
            }
        }
        return false;
    }

    /** The mode that loses least; null if there is none. */
    @Nullable
    public Mode best(final AllocatedJob job, final Released freeing) {
        Mode best = null;
        long least = Long.MAX_VALUE;
        for (final Mode mode : site.allowed()) {
            if (isPossible(mode, job, freeing) && loss_core_s(job, mode) < least) {
                best = mode;
                least = loss_core_s(job, mode);
            }
        }
        return best;
    }

    private boolean isPossible(final Mode mode, final AllocatedJob job, final Released freeing) {
        return switch (mode) {
            case SUSPEND -> freeing == Released.CORES && offered.contains(Capability.SUSPEND);
            case CHECKPOINT -> job.rerunnable() && job.checkpoint().isOffered(offered);
            case REQUEUE -> job.rerunnable();
        };
    }

    /** Core-seconds lost by the best mode; {@code Long.MAX_VALUE} if there is none. */
    public long leastLoss_core_s(final AllocatedJob job, final Released freeing) {
        final Mode best = best(job, freeing);
        return best == null ? Long.MAX_VALUE : loss_core_s(job, best);
    }

    private long loss_core_s(final AllocatedJob job, final Mode mode) {
        return job.cores() * lost(job, mode).toSeconds();
    }

    private Duration lost(final AllocatedJob job, final Mode mode) {
        return switch (mode) {
            case SUSPEND -> Duration.ZERO;
            case CHECKPOINT -> job.checkpoint().grace().plus(site.restartCost());
            case REQUEUE -> runTime(job);
        };
    }

    /** Time since the start or the last checkpoint. */
    private Duration runTime(final AllocatedJob job) {
        final Duration run = Duration.between(job.since(), now);
        return run.isNegative() ? Duration.ZERO : run;
    }

    /** The preemption of a job that has a mode. */
    public Preemption of(final AllocatedJob job, final Released freeing) {
        final Mode mode = Objects.requireNonNull(best(job, freeing), "a victim has a mode");
        return new Preemption(
                job.job(),
                mode,
                mode == Mode.CHECKPOINT ? job.checkpoint() : null,
                loss_core_s(job, mode),
                reason(job, mode));
    }

    private String reason(final AllocatedJob job, final Mode mode) {
        final String times = " x " + job.cores() + " cores";
        return switch (mode) {
            case SUSPEND -> "suspended: loses no work, keeps its memory and GPUs, and resumes when its cores are idle";
            case CHECKPOINT ->
                "checkpointed: loses at most " + DurationText.of(lost(job, mode)) + times + " instead of "
                        + DurationText.of(runTime(job));
            case REQUEUE -> "requeued: loses " + DurationText.of(runTime(job)) + times + "; " + whyNotCheckpointed(job);
        };
    }

    private String whyNotCheckpointed(final AllocatedJob job) {
        final Optional<Capability> needed = job.checkpoint().needed();
        if (needed.isEmpty()) {
            return "the job has no checkpoint method";
        }
        if (!site.allowed().contains(Mode.CHECKPOINT)) {
            return "the site does not allow checkpoints";
        }
        return offered.contains(needed.get())
                ? "a checkpoint would cost up to " + DurationText.of(lost(job, Mode.CHECKPOINT))
                : "the cluster does not support its checkpoint method (" + needed.get() + ")";
    }
}
