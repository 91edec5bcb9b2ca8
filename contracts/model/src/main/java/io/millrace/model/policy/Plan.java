package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.JobRef;
import io.millrace.model.Veto;
import io.millrace.model.command.Issuer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forecast of a decider for a waiting job.
 *
 * @param predictedStart null if unknown
 * @param position in the queue, from 1; 0 if there is no order
 * @param reason what it waits for, in one sentence
 * @param vetoes the obstacles to an earlier start or a placement, each with its figures
 * @param shortenedEnd for a job that runs: it overtook on a shrunk estimate that foresaw its end then, and may be cut for the job it overtook;
 *     null for all others
 * @param goesFirst whether others were cut for its sake, so that it comes before everybody until it starts; null means no
 * @param holdsReservation whether room is reserved for it at its predicted start; null means no
 * @param suspended whether it was suspended for another's sake, and goes on when its cores are idle; null: no
 */
public record Plan(
        JobRef job,
        Issuer issuer,
        @Nullable Instant predictedStart,
        int position,
        String reason,
        List<Veto> vetoes,
        @Nullable Instant shortenedEnd,
        @Nullable Boolean goesFirst,
        @Nullable Boolean holdsReservation,
        @Nullable Boolean suspended)
        implements PlanEvent {

    /** A job that was suspended and will be resumed. */
    public static Plan ofSuspended(final JobRef job, final Issuer issuer, final String why) {
        return new Plan(job, issuer, null, 0, why, List.of(), null, false, false, true);
    }

    /** A waiting job without a reservation. */
    public Plan(
            final JobRef job,
            final Issuer issuer,
            final @Nullable Instant predictedStart,
            final int place,
            final String why,
            final List<Veto> vetoes) {
        this(job, issuer, predictedStart, place, why, vetoes, null, false, false, null);
    }

    public Plan {
        vetoes = List.copyOf(vetoes);
    }

    public boolean isGoingFirst() {
        return Boolean.TRUE.equals(goesFirst);
    }

    public boolean isReserved() {
        return Boolean.TRUE.equals(holdsReservation);
    }

    @Override
    public String key() {
        return new PlanKey.OfJob(job, issuer).toString();
    }

    @Override
    public @Nullable ClusterId cluster() {
        return job instanceof JobKey local ? local.cluster() : null;
    }
}
