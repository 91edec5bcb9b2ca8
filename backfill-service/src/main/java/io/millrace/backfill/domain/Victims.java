package io.millrace.backfill.domain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Whom to cut so that the head job, which is due, finds its room: no more than needed, and nobody if that would not do. */
final class Victims {

    private Victims() {}

    static List<PlannedJob> cut(
            final Ledger ledger, final Cutting cutting, final PlannedJob head, final Shadow shadow, final long now_s) {
        final Room room = ledger.room().copy();
        final List<PlannedJob> cuttable = new ArrayList<>();
        for (int i = ledger.ends.first(); i < ledger.ends.end(); i++) {
            final PlannedJob job = ledger.ends.at(i);
            final boolean endsByThen = Math.min(job.end_s(), job.limitEnd_s()) <= shadow.at_s();
            if (job.isCuttable() && job.limitEnd_s() > shadow.at_s()) {
                cuttable.add(job);
            } else if (endsByThen) {
                room.give(job);
            }
        }
        if (room.fits(head.job())) {
            return List.of();
        }
        final List<PlannedJob> victims = choose(inOrder(cuttable, cutting, head.cores() - room.idle()), head, room);
        final long until = now_s + cutting.checkpoint_s();
        for (final PlannedJob victim : victims) {
            final boolean keeps = victim.job().traits().checkpointable();
            ledger.cut(victim, keeps ? until : now_s);
        }
        if (!victims.isEmpty() && head.rise(PlannedJob.IS_DUE)) {
            ledger.reorder();
        }
        return victims;
    }

    private static List<PlannedJob> inOrder(final List<PlannedJob> cuttable, final Cutting cutting, final int shortOf) {
        final Comparator<PlannedJob> widest =
                Comparator.comparingInt(PlannedJob::cores).reversed();
        final Comparator<PlannedJob> first = switch (cutting.victims()) {
            case LARGEST -> widest;
            case FEWEST_CORES ->
                Comparator.comparingInt((PlannedJob job) -> job.cores() >= shortOf ? job.cores() : Integer.MAX_VALUE)
                        .thenComparing(widest);
            case LONGEST_LEFT ->
                Comparator.comparingLong(PlannedJob::limitEnd_s).reversed();
            case NEWEST -> Comparator.comparingLong(PlannedJob::start_s).reversed();
        };
        return cuttable.stream()
                .sorted(first.thenComparing(PlannedJob.BY_SUBMISSION))
                .toList();
    }

    private static List<PlannedJob> choose(final List<PlannedJob> inOrder, final PlannedJob head, final Room room) {
        final List<PlannedJob> victims = new ArrayList<>();
        for (final PlannedJob job : inOrder) {
            room.give(job);
            victims.add(job);
            if (room.fits(head.job())) {
                return needed(victims, head, room);
            }
        }
        return List.of();
    }

    /** Leaves out whom the others made needless. */
    private static List<PlannedJob> needed(final List<PlannedJob> victims, final PlannedJob head, final Room room) {
        final List<PlannedJob> needed = new ArrayList<>();
        for (final PlannedJob job : victims) {
            room.takeBack(job);
            if (!room.fits(head.job())) {
                room.give(job);
                needed.add(job);
            }
        }
        return needed;
    }
}
