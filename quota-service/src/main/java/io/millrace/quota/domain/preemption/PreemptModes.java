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
 * How the jobs of one cluster can leave their cores, and what each way loses. Q-30: of the ways that the site allows, the cluster offers and the
 * job can take, the one that loses least; Q-31: who is suspended frees cores and nothing else.
 */
public final class PreemptModes {

    /** What the beneficiary needs of its victims. */
    public enum Released {
        /** Their cores. */
        CORES,
        /** All they have. */
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

    /** The widest freeing there is: if nobody can be suspended, whoever leaves cores leaves everything. */
    public Released leastRelease() {
        return site.allowed().contains(Mode.SUSPEND) && offered.contains(Capability.SUSPEND)
                ? Released.CORES
                : Released.EVERYTHING;
    }

    /** The way that loses least; null if there is none. */
    @Nullable
    public Mode best(final AllocatedJob job, final Released freeing) {
        Mode best = null;
        long least = Long.MAX_VALUE;
        for (final Mode mode : site.allowed()) {
            if (isOpen(mode, job, freeing) && loss_core_s(job, mode) < least) {
                best = mode;
                least = loss_core_s(job, mode);
            }
        }
        return best;
    }

    private boolean isOpen(final Mode mode, final AllocatedJob job, final Released freeing) {
        return switch (mode) {
            case SUSPEND -> freeing == Released.CORES && offered.contains(Capability.SUSPEND);
            case CHECKPOINT -> job.rerunnable() && job.checkpoint().isOffered(offered);
            case REQUEUE -> job.rerunnable();
        };
    }

    /** Core-seconds lost by the best way; as much as can be where there is none. */
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
            case REQUEUE -> hasRun(job);
        };
    }

    /** Since it began, or since the saved state that it goes on from. */
    private Duration hasRun(final AllocatedJob job) {
        final Duration run = Duration.between(job.since(), now);
        return run.isNegative() ? Duration.ZERO : run;
    }

    /** The best way, for a job that has one. */
    public Preemption of(final AllocatedJob job, final Released freeing) {
        final Mode mode = Objects.requireNonNull(best(job, freeing), "a victim has a way");
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
            case SUSPEND -> "suspended: loses nothing, keeps its memory and GPUs, and goes on when its cores are idle";
            case CHECKPOINT ->
                "checkpointed: loses at most " + DurationText.of(lost(job, mode)) + times + " instead of "
                        + DurationText.of(hasRun(job));
            case REQUEUE -> "requeued: loses " + DurationText.of(hasRun(job)) + times + "; " + whyNotSaved(job);
        };
    }

    private String whyNotSaved(final AllocatedJob job) {
        final Optional<Capability> needed = job.checkpoint().needed();
        if (needed.isEmpty()) {
            return "it has no way to save its work";
        }
        if (!site.allowed().contains(Mode.CHECKPOINT)) {
            return "the site allows no checkpoint";
        }
        return offered.contains(needed.get())
                ? "saving it first would cost up to " + DurationText.of(lost(job, Mode.CHECKPOINT))
                : "this cluster cannot save it (" + needed.get() + ")";
    }
}
