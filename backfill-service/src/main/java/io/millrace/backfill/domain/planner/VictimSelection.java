package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.job.PlannedJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Selects the jobs to preempt so that the head job can start: as few as needed, and none if all of them would not suffice. */
final class VictimSelection {
    private VictimSelection() {}

    /** Selects victims, and records in the state that they leave. */
    static List<PlannedJob> preempt(
            final PlannerState state,
            final CheckpointPreemptionPolicy policy,
            final PlannedJob head,
            final BackfillWindow window,
            final long now_s) {
        final FreeCapacity free = state.free().copy();
        final List<PlannedJob> preemptible = new ArrayList<>();
        state.forEachRunning(job -> {
            final boolean endsByThen = Math.min(job.end_s(), job.limitEnd_s()) <= window.shadow_s();
            if (job.isPreemptible() && job.limitEnd_s() > window.shadow_s()) {
                preemptible.add(job);
            } else if (endsByThen) {
                free.release(job);
            }
        });
        if (free.fits(head.job())) {
            return List.of();
        }
        preemptible.sort(order(policy, head.cores() - free.idle()));
        final List<PlannedJob> victims = choose(preemptible, head, free);
        for (final PlannedJob victim : victims) {
            final boolean keepsWork = victim.job().attributes().checkpointable();
            state.preempt(victim, keepsWork ? now_s + policy.checkpoint_s() : now_s);
        }
        if (!victims.isEmpty() && head.raisePrecedence(PlannedJob.BENEFICIARY)) {
            state.reorder();
        }
        return victims;
    }

    private static Comparator<PlannedJob> order(final CheckpointPreemptionPolicy policy, final int missingCores) {
        final Comparator<PlannedJob> widest =
                Comparator.comparingInt(PlannedJob::cores).reversed();
        final Comparator<PlannedJob> first = switch (policy.victimOrder()) {
            case LARGEST -> widest;
            case FEWEST_CORES ->
                Comparator.comparingInt(
                                (PlannedJob job) -> job.cores() >= missingCores ? job.cores() : Integer.MAX_VALUE)
                        .thenComparing(widest);
            case LONGEST_LEFT ->
                Comparator.comparingLong(PlannedJob::limitEnd_s).reversed();
            case NEWEST -> Comparator.comparingLong(PlannedJob::start_s).reversed();
        };
        return first.thenComparing(PlannedJob.BY_SUBMISSION);
    }

    private static List<PlannedJob> choose(
            final List<PlannedJob> inOrder, final PlannedJob head, final FreeCapacity free) {
        final List<PlannedJob> victims = new ArrayList<>();
        for (final PlannedJob job : inOrder) {
            free.release(job);
            victims.add(job);
            if (free.fits(head.job())) {
                return needed(victims, head, free);
            }
        }
        return List.of();
    }

    /** Drops victims that later ones have made unnecessary. */
    private static List<PlannedJob> needed(
            final List<PlannedJob> victims, final PlannedJob head, final FreeCapacity free) {
        final List<PlannedJob> needed = new ArrayList<>();
        for (final PlannedJob job : victims) {
            free.takeBack(job);
            if (!free.fits(head.job())) {
                free.release(job);
                needed.add(job);
            }
        }
        return needed;
    }
}
