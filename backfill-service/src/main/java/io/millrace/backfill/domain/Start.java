package io.millrace.backfill.domain;

import org.jspecify.annotations.Nullable;

/**
 * The decision to start a job now.
 *
 * @param idleBefore cores that were idle before the start
 * @param bypassed the first reservation, which a backfilled job does not delay; null if the job starts in its turn
 * @param endsBeforeShadow whether the job ends before that reservation begins; otherwise it runs beside the head job
 * @param shrunkEnd_s the end that its shrunk estimate predicts; {@link ShadowTime#NEVER} if it was not shrunk
 */
public record Start(
        QueuedJob job, int idleBefore, @Nullable Reservation bypassed, boolean endsBeforeShadow, long shrunkEnd_s) {

    public Start(
            final QueuedJob job,
            final int idleBefore,
            final @Nullable Reservation bypassed,
            final boolean endsBeforeShadow) {
        this(job, idleBefore, bypassed, endsBeforeShadow, ShadowTime.NEVER);
    }

    public Start shrunkTo(final long end_s) {
        return new Start(job, idleBefore, bypassed, endsBeforeShadow, end_s);
    }

    public boolean isShrunk() {
        return shrunkEnd_s < ShadowTime.NEVER;
    }

    public static Start inOrder(final QueuedJob job, final int idleBefore) {
        return new Start(job, idleBefore, null, false);
    }

    public boolean isBackfilled() {
        return bypassed != null;
    }

    /** The reason as a sentence with numbers. */
    public String reason() {
        return job.startsInOtherPartition()
                ? "in partition '" + job.partition() + "', which it may also use: " + turn()
                : turn();
    }

    private String turn() {
        final String fits = job.cores() + " of " + idleBefore + " idle cores";
        if (bypassed == null) {
            return "first in order: " + fits;
        }
        final String head = bypassed.head().job().id() + " at " + bypassed.shadow();
        if (isShrunk()) {
            return "backfilled: " + fits + ", expected to end at " + new ShadowTime(shrunkEnd_s)
                    + "; if it does not, it is checkpointed and requeued for " + head;
        }
        return endsBeforeShadow
                ? "backfilled: " + fits + ", ends before the reservation of " + head
                : "backfilled: " + fits + ", runs beside " + head + " on its " + bypassed.extraCores() + " extra cores";
    }
}
