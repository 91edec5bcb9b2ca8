package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Run;
import io.millrace.backfill.domain.WaitingJob;
import io.millrace.backfill.domain.capacity.FreeCapacity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Selects the jobs to preempt so that the head job can start: as few as needed, and none if all of them would not suffice. */
final class VictimSelection {
    private VictimSelection() {}

    /** Selects victims, and records in the pass that they leave. @return whether there are any */
    static boolean preempt(
            final Pass pass,
            final CheckpointPreemptionPolicy policy,
            final WaitingJob head,
            final BackfillWindow window) {
        final FreeCapacity free = pass.free().copy();
        final List<Run> preemptible = new ArrayList<>();
        for (final Run run : pass.running()) {
            final boolean endsByThen = Math.min(run.end_s(), run.limitEnd_s()) <= window.shadow_s();
            if (run.preemptible() && run.limitEnd_s() > window.shadow_s()) {
                preemptible.add(run);
            } else if (endsByThen) {
                free.release(run);
            }
        }
        if (free.fits(head.job())) {
            return false;
        }
        preemptible.sort(order(policy, head.cores() - free.idle()));
        final List<Run> victims = choose(preemptible, head, free);
        for (final Run victim : victims) {
            final boolean keepsWork = victim.job().attributes().checkpointable();
            pass.preempt(victim, keepsWork ? pass.now_s() + policy.checkpoint_s() : pass.now_s());
        }
        if (!victims.isEmpty() && !head.isBeneficiary()) {
            pass.raise(head, WaitingJob.BENEFICIARY);
        }
        return !victims.isEmpty();
    }

    private static Comparator<Run> order(final CheckpointPreemptionPolicy policy, final int missingCores) {
        final Comparator<Run> widest = Comparator.comparingInt(Run::cores).reversed();
        final Comparator<Run> first = switch (policy.victimOrder()) {
            case LARGEST -> widest;
            case FEWEST_CORES ->
                Comparator.comparingInt((Run run) -> run.cores() >= missingCores ? run.cores() : Integer.MAX_VALUE)
                        .thenComparing(widest);
            case LONGEST_LEFT -> Comparator.comparingLong(Run::limitEnd_s).reversed();
            case NEWEST -> Comparator.comparingLong(Run::start_s).reversed();
        };
        return first.thenComparing(Run::job, QueuedJob.BY_SUBMISSION);
    }

    private static List<Run> choose(final List<Run> inOrder, final WaitingJob head, final FreeCapacity free) {
        final List<Run> victims = new ArrayList<>();
        for (final Run run : inOrder) {
            free.release(run);
            victims.add(run);
            if (free.fits(head.job())) {
                return needed(victims, head, free);
            }
        }
        return List.of();
    }

    /** Drops victims that later ones have made unnecessary. */
    private static List<Run> needed(final List<Run> victims, final WaitingJob head, final FreeCapacity free) {
        final List<Run> needed = new ArrayList<>();
        for (final Run run : victims) {
            free.takeBack(run);
            if (!free.fits(head.job())) {
                free.release(run);
                needed.add(run);
            }
        }
        return needed;
    }
}
