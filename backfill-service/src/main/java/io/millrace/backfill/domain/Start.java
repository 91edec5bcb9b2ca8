package io.millrace.backfill.domain;

import org.jspecify.annotations.Nullable;

/**
 * A job starts now.
 *
 * @param idleBefore cores that were idle before it
 * @param overtaken the reservation that it overtakes without delaying it; null if it is its turn
 * @param shrunkEnd_s when the shrunk estimate that it was started on foresees its end; {@link ShadowTime#NEVER} if it was not shrunk
 * @param endsBeforeShadow whether it ends before that reservation begins; else it runs beside the head
 */
public record Start(
        QueuedJob job, int idleBefore, @Nullable Reservation overtaken, boolean endsBeforeShadow, long shrunkEnd_s) {

    Start(
            final QueuedJob job,
            final int idleBefore,
            final @Nullable Reservation overtaken,
            final boolean endsBeforeShadow) {
        this(job, idleBefore, overtaken, endsBeforeShadow, ShadowTime.NEVER);
    }

    Start shrunkTo(final long end_s) {
        return new Start(job, idleBefore, overtaken, endsBeforeShadow, end_s);
    }

    public boolean isShrunk() {
        return shrunkEnd_s < ShadowTime.NEVER;
    }

    static Start inOrder(final QueuedJob job, final int idleBefore) {
        return new Start(job, idleBefore, null, false);
    }

    public boolean isBackfilled() {
        return overtaken != null;
    }

    /** One sentence with the figures. */
    public String reason() {
        return job.isElsewhere()
                ? "in partition '" + job.partition() + "', which is open to it, too: " + turn()
                : turn();
    }

    private String turn() {
        final String fits = job.cores() + " of " + idleBefore + " idle cores";
        if (overtaken == null) {
            return "its turn: " + fits;
        }
        final String head = overtaken.head().job().id() + " at " + overtaken.shadow();
        if (isShrunk()) {
            return "backfilled: " + fits + ", foreseen to end at " + new ShadowTime(shrunkEnd_s)
                    + ", else saved and put back for " + head;
        }
        return endsBeforeShadow
                ? "backfilled: " + fits + ", ends before the reservation of " + head
                : "backfilled: " + fits + ", runs beside " + head + " in its " + overtaken.extraCores()
                        + " extra cores";
    }
}
