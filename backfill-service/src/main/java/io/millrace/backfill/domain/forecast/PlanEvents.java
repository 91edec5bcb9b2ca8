package io.millrace.backfill.domain.forecast;

import io.millrace.backfill.domain.job.IneligibleJob;
import io.millrace.backfill.domain.job.PublishedPlan;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds and compares the {@link Plan} events of backfill-service. */
public final class PlanEvents {

    private PlanEvents() {}

    /**
     * @param isBeneficiary whether other jobs were preempted for it
     * @param holdsReservation whether capacity is reserved for it
     */
    static Plan of(final JobForecast forecast, final boolean isBeneficiary, final boolean holdsReservation) {
        return new Plan(
                forecast.job().job(),
                Issuer.BACKFILL,
                instant(forecast.start()),
                forecast.place(),
                forecast.reason(),
                forecast.vetoes(),
                null,
                isBeneficiary,
                holdsReservation,
                null);
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
                "runs on a shrunk estimate: if it runs longer, it may be checkpointed and requeued for a job with a reservation",
                List.of(),
                Instant.ofEpochSecond(end_s),
                false,
                false,
                null);
    }

    public static Plan ineligible(final IneligibleJob job) {
        return new Plan(job.job(), Issuer.BACKFILL, null, 0, job.veto().reason(), List.of(job.veto()));
    }

    private static @Nullable Instant instant(final @Nullable ShadowTime start) {
        return start == null ? null : start.instant();
    }

    /**
     * Whether a plan need not be published again: the reason is equal, the start differs by less than the tolerance, and the place by at
     * most a tenth. Numbers in vetoes may be outdated.
     *
     * @param tolerance_s see {@link PublishedPlan#tolerance_s}
     */
    static boolean isUnchanged(final Plan published, final Plan current, final long tolerance_s) {
        return published.reason().equals(current.reason())
                && published.isGoingFirst() == current.isGoingFirst()
                && published.isReserved() == current.isReserved()
                && Objects.equals(published.shortenedEnd(), current.shortenedEnd())
                && codes(published).equals(codes(current))
                && near(published.predictedStart(), current.predictedStart(), tolerance_s)
                && PublishedPlan.isNear(published.position(), current.position());
    }

    private static List<String> codes(final Plan plan) {
        return plan.vetoes().stream().map(Veto::code).toList();
    }

    private static boolean near(final @Nullable Instant one, final @Nullable Instant other, final long tolerance_s) {
        if (one == null || other == null) {
            return one == other;
        }
        return Math.abs(one.getEpochSecond() - other.getEpochSecond()) < tolerance_s;
    }
}
