package io.millrace.quota.domain;

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
final class Ways {

    /** What the beneficiary needs of its victims. */
    enum Freeing {
        /** Their cores. */
        CORES,
        /** All they have. */
        EVERYTHING
    }

    private final PreemptModes site;
    private final Set<Capability> offered;
    private final Instant now;

    Ways(final PreemptModes site, final Set<Capability> offered, final Instant now) {
        this.site = site;
        this.offered = offered;
        this.now = now;
    }

    /** The widest freeing there is: if nobody can be suspended, whoever leaves cores leaves everything. */
    Freeing widest() {
        return site.allowed().contains(Mode.SUSPEND) && offered.contains(Capability.SUSPEND)
                ? Freeing.CORES
                : Freeing.EVERYTHING;
    }

    /** The way that loses least; null if there is none. */
    @Nullable
    Mode best(final Occupant job, final Freeing freeing) {
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

    private boolean isOpen(final Mode mode, final Occupant job, final Freeing freeing) {
        return switch (mode) {
            case SUSPEND -> freeing == Freeing.CORES && offered.contains(Capability.SUSPEND);
            case CHECKPOINT -> job.rerunnable() && job.checkpoint().isOffered(offered);
            case REQUEUE -> job.rerunnable();
        };
    }

    /** Core-seconds lost by the best way; as much as can be where there is none. */
    long leastLoss_core_s(final Occupant job, final Freeing freeing) {
        final Mode best = best(job, freeing);
        return best == null ? Long.MAX_VALUE : loss_core_s(job, best);
    }

    private long loss_core_s(final Occupant job, final Mode mode) {
        return job.cores() * lost(job, mode).toSeconds();
    }

    private Duration lost(final Occupant job, final Mode mode) {
        return switch (mode) {
            case SUSPEND -> Duration.ZERO;
            case CHECKPOINT -> job.checkpoint().grace().plus(site.restartCost());
            case REQUEUE -> hasRun(job);
        };
    }

    /** Since it began, or since the saved state that it goes on from. */
    private Duration hasRun(final Occupant job) {
        final Duration run = Duration.between(job.since(), now);
        return run.isNegative() ? Duration.ZERO : run;
    }

    /** The best way, for a job that has one. */
    Preemption of(final Occupant job, final Freeing freeing) {
        final Mode mode = Objects.requireNonNull(best(job, freeing), "a victim has a way");
        return new Preemption(
                job.job(),
                mode,
                mode == Mode.CHECKPOINT ? job.checkpoint() : null,
                loss_core_s(job, mode),
                because(job, mode));
    }

    private String because(final Occupant job, final Mode mode) {
        final String times = " x " + job.cores() + " cores";
        return switch (mode) {
            case SUSPEND -> "suspended: loses nothing, keeps its memory and GPUs, and goes on when its cores are idle";
            case CHECKPOINT ->
                "checkpointed: loses at most " + Spans.inWords(lost(job, mode)) + times + " instead of "
                        + Spans.inWords(hasRun(job));
            case REQUEUE -> "requeued: loses " + Spans.inWords(hasRun(job)) + times + "; " + whyNotSaved(job);
        };
    }

    private String whyNotSaved(final Occupant job) {
        final Optional<Capability> needed = job.checkpoint().needed();
        if (needed.isEmpty()) {
            return "it has no way to save its work";
        }
        if (!site.allowed().contains(Mode.CHECKPOINT)) {
            return "the site allows no checkpoint";
        }
        return offered.contains(needed.get())
                ? "saving it first would cost up to " + Spans.inWords(lost(job, Mode.CHECKPOINT))
                : "this cluster cannot save it (" + needed.get() + ")";
    }
}
