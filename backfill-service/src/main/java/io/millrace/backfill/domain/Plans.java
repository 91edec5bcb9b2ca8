package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What waiting jobs are told, in the words of the log. */
public final class Plans {

    /** A predicted start that moves by less than this is not said again. */
    private static final Duration WOBBLE = Duration.ofMinutes(1);

    private Plans() {}

    public static List<Plan> of(
            final List<Forecast> outlook, final List<Barred> barred, final QueueView view, final Schedule schedule) {
        final List<Plan> plans = new ArrayList<>(outlook.size() + barred.size());
        outlook.forEach(forecast -> plans.add(new Plan(
                forecast.job().job(),
                Issuer.BACKFILL,
                instant(forecast.start()),
                forecast.place(),
                forecast.why(),
                forecast.vetoes(),
                null,
                view.first().contains(forecast.job().job()) || isCutFor(forecast.job(), schedule),
                holdsReservation(forecast.job(), schedule))));
        barred.forEach(aside -> plans.add(aside(aside)));
        view.running().stream()
                .filter(job -> job.how().cuttable() || job.how().shrunkEnd_s() < ShadowTime.NEVER)
                .forEach(job -> plans.add(shrunk(job.job(), job.how().shrunkEnd_s())));
        schedule.starts().stream()
                .filter(Start::isShrunk)
                .forEach(start -> plans.add(shrunk(start.job().job(), start.shrunkEnd_s())));
        return plans;
    }

    /** Nothing starts here for now: every job that would take part waits for that. */
    public static List<Plan> allWait(final LiveQueue queue, final Veto closed) {
        final List<Plan> plans = new ArrayList<>();
        queue.view().queued().forEach(job -> plans.add(aside(new Barred(job.job(), closed))));
        queue.barred().forEach(aside -> plans.add(aside(aside)));
        return plans;
    }

    private static boolean isCutFor(final QueuedJob job, final Schedule schedule) {
        return schedule.cuts().stream().anyMatch(cut -> cut.due().head() == job);
    }

    private static boolean holdsReservation(final QueuedJob job, final Schedule schedule) {
        final Reservation reservation = schedule.reservation();
        return reservation != null && reservation.head() == job;
    }

    private static Plan shrunk(final JobKey job, final long end_s) {
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

    private static Plan aside(final Barred barred) {
        return new Plan(barred.job(), Issuer.BACKFILL, null, 0, barred.veto().because(), List.of(barred.veto()));
    }

    private static @Nullable Instant instant(final @Nullable ShadowTime start) {
        return start == null ? null : start.instant();
    }

    /**
     * Whether what a job was told still serves it: the same reason, a start within the wobble, and, near the front, the same place; far
     * behind, a place that is right to a tenth. The figures in the vetoes are those of the moment they were said.
     */
    public static boolean asGood(final Plan said, final Plan now) {
        return said.why().equals(now.why())
                && said.first() == now.first()
                && said.holdsReservation() == now.holdsReservation()
                && Objects.equals(said.shrunkEnd(), now.shrunkEnd())
                && codes(said).equals(codes(now))
                && near(said.predictedStart(), now.predictedStart())
                && Math.abs(said.place() - now.place()) * 10L <= now.place();
    }

    private static List<String> codes(final Plan plan) {
        return plan.vetoes().stream().map(Veto::code).toList();
    }

    private static boolean near(final @Nullable Instant one, final @Nullable Instant other) {
        if (one == null || other == null) {
            return one == other;
        }
        return Duration.between(one, other).abs().compareTo(WOBBLE) < 0;
    }
}
