package io.millrace.backfill.domain.forecast;

import io.millrace.backfill.domain.job.IneligibleJob;
import io.millrace.backfill.domain.job.PublishedPlan;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What waiting jobs are told, in the words of the log. */
public final class PlanEvents {


    private PlanEvents() {}

    /**
     * @param first whether others were cut for its sake
     * @param holdsReservation whether room is kept for it
     */
    static Plan of(final JobForecast forecast, final boolean first, final boolean holdsReservation) {
        return new Plan(
                forecast.job().job(),
                Issuer.BACKFILL,
                instant(forecast.start()),
                forecast.place(),
                forecast.reason(),
                forecast.vetoes(),
                null,
                first,
                holdsReservation);
    }

    static String keyOf(final JobKey job) {
        return job + "/" + Issuer.BACKFILL;
    }

    public static Plan shrunk(final JobKey job, final long end_s) {
        return new Plan(
                job,
                Issuer.BACKFILL,
                null,
                0,
                "runs on a shrunk estimate: if it outlives it, it may be saved and put back for the job it overtook",
                List.of(),
                Instant.ofEpochSecond(end_s),
                false,
                false);
    }

    public static Plan ineligible(final IneligibleJob barred) {
        return new Plan(barred.job(), Issuer.BACKFILL, null, 0, barred.veto().reason(), List.of(barred.veto()));
    }

    private static @Nullable Instant instant(final @Nullable ShadowTime start) {
        return start == null ? null : start.instant();
    }

    /**
     * Whether what a job was told still serves it: the same reason, a start within the wobble, and, near the front, the same place; far
     * behind, a place that is right to a tenth. The figures in the vetoes are those of the moment they were said.
     */
    public static boolean isUnchanged(final Plan said, final Plan now) {
        return said.reason().equals(now.reason())
                && said.isGoingFirst() == now.isGoingFirst()
                && said.isReserved() == now.isReserved()
                && Objects.equals(said.shortenedEnd(), now.shortenedEnd())
                && codes(said).equals(codes(now))
                && near(said.predictedStart(), now.predictedStart())
                && PublishedPlan.isNear(said.position(), now.position());
    }

    private static List<String> codes(final Plan plan) {
        return plan.vetoes().stream().map(Veto::code).toList();
    }

    private static boolean near(final @Nullable Instant one, final @Nullable Instant other) {
        if (one == null || other == null) {
            return one == other;
        }
        return Duration.between(one, other).abs().compareTo(PublishedPlan.START_TOLERANCE) < 0;
    }
}
