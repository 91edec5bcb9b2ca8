package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.IneligibleJob;
import io.millrace.model.JobKey;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import java.time.Instant;
import java.util.List;

/** Builds the {@link Plan} events of backfill-service. */
public final class PlanEvents {

    private PlanEvents() {}

    public static Plan of(final JobForecast forecast) {
        return new Plan(
                forecast.job().job(),
                Issuer.BACKFILL,
                forecast.start() == null ? null : forecast.start().instant(),
                forecast.place(),
                forecast.reason(),
                forecast.vetoes(),
                null,
                forecast.isBeneficiary(),
                forecast.isReserved(),
                null);
    }

    /** @param end_s the end that its shrunk estimate predicts */
    public static Plan shrunk(final JobKey job, final long end_s) {
        return new Plan(
                job,
                Issuer.BACKFILL,
                null,
                0,
                "runs on a shrunk estimate: if it runs longer, it may be checkpointed and requeued for a job with a"
                        + " reservation",
                List.of(),
                Instant.ofEpochSecond(end_s),
                false,
                false,
                null);
    }

    public static Plan ineligible(final IneligibleJob job) {
        return new Plan(job.job(), Issuer.BACKFILL, null, 0, job.veto().reason(), List.of(job.veto()));
    }
}
