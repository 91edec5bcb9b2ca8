package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.ShadowTime;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.policy.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A published plan. It is published again if codes or flags change, or if a figure changes by more than its tolerance: figures in sentences
 * may be outdated.
 *
 * @param tolerance_s a predicted start that moves by less than this is not published again
 */
public record PublishedPlan(Plan plan, long tolerance_s) {

    /** The tolerance of reservations and near the front of the queue. */
    private static final Duration MIN_TOLERANCE = Duration.ofMinutes(1);

    /** Of the place, and of the wait that was predicted when the plan was published. */
    private static final int TOLERATED_FRACTION = 10;

    /** The tolerance is a tenth of the wait, so that the end of one job does not change the plans of all jobs behind it. */
    public static PublishedPlan of(final Plan plan, final Instant now) {
        final Instant start = plan.predictedStart();
        if (start == null || plan.isReserved() || plan.position() < TOLERATED_FRACTION) {
            return new PublishedPlan(plan, MIN_TOLERANCE.toSeconds());
        }
        final long wait_s = start.getEpochSecond() - now.getEpochSecond();
        return new PublishedPlan(plan, Math.max(MIN_TOLERANCE.toSeconds(), wait_s / TOLERATED_FRACTION));
    }

    /** A plan that an earlier process published. */
    public static PublishedPlan replayed(final Plan plan) {
        return new PublishedPlan(plan, MIN_TOLERANCE.toSeconds());
    }

    public JobKey job() {
        return (JobKey) plan.job();
    }

    /** Whether the plan of this forecast need not be published. */
    public boolean covers(final JobForecast current) {
        return plan.isGoingFirst() == current.isBeneficiary()
                && plan.isReserved() == current.isReserved()
                && plan.shortenedEnd() == null
                && isNear(plan.position(), current.place())
                && isNear(current.start())
                && areCodes(current.blockers().codes(current.job(), current.blocker()))
                && (!current.isReserved() || plan.reason().equals(current.reason()));
    }

    private boolean isNear(final @Nullable ShadowTime start) {
        final Instant published = plan.predictedStart();
        if (published == null || start == null) {
            return published == null && start == null;
        }
        return Math.abs(published.getEpochSecond() - start.second()) < tolerance_s;
    }

    private boolean areCodes(final List<VetoCode> codes) {
        final List<Veto> vetoes = plan.vetoes();
        if (vetoes.size() != codes.size()) {
            return false;
        }
        for (int i = 0; i < codes.size(); i++) {
            if (!codes.get(i).isOf(vetoes.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a plan without a place need not be published. */
    public boolean covers(final Plan current) {
        return plan.reason().equals(current.reason())
                && plan.position() == current.position()
                && plan.isGoingFirst() == current.isGoingFirst()
                && plan.isReserved() == current.isReserved()
                && plan.predictedStart() == null
                && Objects.equals(plan.shortenedEnd(), current.shortenedEnd())
                && codes(plan).equals(codes(current));
    }

    private static List<String> codes(final Plan plan) {
        return plan.vetoes().stream().map(Veto::code).toList();
    }

    /** Whether two places differ by at most a tenth; near the front they must be equal. */
    private static boolean isNear(final int published, final int current) {
        return (long) Math.abs(published - current) * TOLERATED_FRACTION <= current;
    }
}
