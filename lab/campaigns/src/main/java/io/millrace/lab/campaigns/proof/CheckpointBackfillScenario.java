package io.millrace.lab.campaigns.proof;

import io.millrace.story.Participants;
import io.millrace.story.ProgressOutput;
import io.millrace.story.QueueMonitor;
import io.millrace.story.RestQueries;
import io.millrace.story.Site;
import io.millrace.story.SiteUser;
import io.millrace.story.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A job is backfilled on a shrunk estimate, and is checkpointed and requeued when the reservation of the head job is due. This runs on one real
 * cluster, driven by the services alone. Half of the cluster is busy until {@value #TIDE_ENDS_BEFORE_S} s before the reservation, so the saver's
 * cores become free last: only its checkpoint lets the head job start on time.
 */
final class CheckpointBackfillScenario {

    private static final Duration TIDE_LIMIT = Duration.ofMinutes(3);
    private static final int TIDE_ENDS_BEFORE_S = 12;

    /** Walltime of the backfilled job: far beyond the reservation. */
    private static final Duration SAVER_LIMIT = Duration.ofMinutes(25);

    private static final int SAVER_STEPS = 200;

    /** The configured cost of a checkpoint: the checkpoint starts this long before the reservation. */
    private static final Duration CHECKPOINT_COST = Duration.ofSeconds(20);

    /** Reservations are published in whole seconds, and a command may follow one revision later. */
    private static final Duration ROUNDING = Duration.ofSeconds(2);

    private record Moment(Instant at, String what) {}

    private final Site.Cluster cluster;
    private final SiteUser alice;
    private final SiteUser bob;
    private final QueueMonitor queues;
    private final RestQueries queries;
    private final ProgressOutput output;
    private final List<Moment> moments = new ArrayList<>();
    /** The reservation of the head job before the other job was backfilled. */
    private Instant reservation = Instant.EPOCH;

    CheckpointBackfillScenario(final Site.Cluster cluster, final Participants participants) {
        this.cluster = cluster;
        this.alice = participants.alice();
        this.bob = participants.bob();
        this.queues = participants.queues();
        this.queries = participants.queries();
        this.output = participants.output();
    }

    List<Verdict> run() {
        final List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(theHeadIsReserved());
        reservation = queues.predicted("head").orElse(Instant.EPOCH);
        final CheckpointingJob saver = new CheckpointingJob(alice.home().resolve("saver"), SAVER_STEPS);
        final String id = submit(saver);
        verdicts.add(aLongJobIsBackfilled());
        if (!verdicts.getLast().kept()) {
            return verdicts; // without a backfilled job no checkpoint follows
        }
        final String key = queues.job("saver").orElseThrow().job();
        verdicts.add(itIsCheckpointedWhenTheReservationIsDue(key));
        verdicts.add(theHeadStartsOnTime());
        verdicts.add(theCheckpointedJobEndsWithTheCorrectResult(saver, id, key));
        return verdicts;
    }

    private Verdict theHeadIsReserved() {
        output.scene("half of " + cluster.name() + " is busy; a job for all of it must wait");
        final int half = cluster.cores() / 2;
        alice.submit(
                cluster.name(), "tide", half, TIDE_LIMIT, "sleep " + (TIDE_LIMIT.toSeconds() - TIDE_ENDS_BEFORE_S));
        final boolean tide = queues.until("tide runs on " + half + " cores", b -> b.runs("tide"));
        bob.submit(cluster.name(), "head", cluster.cores(), Duration.ofMinutes(2), "sleep 10");
        final boolean reserved = queues.until(
                "the job for all of it has a reservation",
                b -> b.waits("head") && b.predicted("head").isPresent());
        final Instant due = queues.started("tide").orElse(Instant.MIN).plus(TIDE_LIMIT);
        queues.started("tide").ifPresent(at -> moment(at, "tide starts on " + half + " cores; its limit is " + due));
        final Instant promised = queues.predicted("head").orElse(Instant.MIN);
        moment(promised, "RESERVATION of head");
        return new Verdict(
                "The first job that does not fit gets a reservation for the end of tide's walltime",
                tide && reserved && Duration.between(due, promised).abs().compareTo(ROUNDING) <= 0,
                "tide's walltime ends at " + due + ", the reservation is at " + promised);
    }

    private String submit(final CheckpointingJob saver) {
        output.scene("alice submits a job of " + SAVER_LIMIT.toMinutes() + " minutes that supports checkpoints");
        final var script = alice.write(saver.directory().resolve("saver.sh"), saver.script());
        return alice.mgsub(
                cluster.name(),
                List.of(
                        "-n",
                        Integer.toString(cluster.cores() / 2),
                        "-t",
                        SAVER_LIMIT.toMinutes() + ":00",
                        "-J",
                        "saver",
                        "--checkpoint-signal",
                        "USR1",
                        "--checkpoint-marker",
                        CheckpointingJob.MARKER,
                        "--checkpoint-grace",
                        "0:30",
                        "-D",
                        saver.directory().toString(),
                        script.toString()));
    }

    private Verdict aLongJobIsBackfilled() {
        queues.until(
                "it is backfilled although its walltime ends far beyond the reservation",
                b -> b.runs("saver") || b.started("head").isPresent());
        final Optional<Instant> start = queues.started("saver");
        final Optional<RestQueries.Order> order =
                queues.job("saver").flatMap(job -> last(queries.orders(job.job()), "start"));
        start.ifPresent(at -> moment(at, "saver starts; its limit is " + at.plus(SAVER_LIMIT)));
        final String reason = order.map(RestQueries.Order::reason).orElse("no command to start it");
        return new Verdict(
                "A job too long for the backfill window is backfilled on a shrunk estimate",
                start.map(at -> at.isBefore(reservation)
                                && at.plus(SAVER_LIMIT).isAfter(reservation)
                                && reason.contains("it is checkpointed and requeued for"))
                        .orElse(false),
                reason);
    }

    private Verdict itIsCheckpointedWhenTheReservationIsDue(final String key) {
        output.scene("the reservation is due");
        queues.until(
                "saver waits again", b -> b.waits("saver") || b.job("saver").isEmpty());
        final Optional<RestQueries.Order> cut = last(queries.orders(key), "checkpoint");
        cut.ifPresent(order -> {
            moment(order.issued(), "backfill-service issues the checkpoint command for saver");
            if (order.answered() != null) {
                moment(order.answered(), "the checkpoint is " + order.result());
            }
        });
        final Instant due = reservation.minus(CHECKPOINT_COST);
        return new Verdict(
                "It is checkpointed when the reservation is due: not earlier than a checkpoint takes, and in time",
                cut.map(order -> order.by().equals("backfill")
                                && order.result().equals("done")
                                && !order.issued().isBefore(due.minus(ROUNDING))
                                && !order.issued().isAfter(reservation)
                                && order.answered() != null
                                && !order.answered().isAfter(reservation))
                        .orElse(false),
                cut.map(order -> "due at " + due + ", issued at " + second(order.issued()) + ", " + order.result()
                                + " at " + (order.answered() == null ? "-" : second(order.answered())) + ": "
                                + order.reason())
                        .orElse("no checkpoint command"));
    }

    private Verdict theHeadStartsOnTime() {
        final boolean started =
                queues.until("head starts", b -> b.started("head").isPresent());
        final Instant start = queues.started("head").orElse(Instant.MAX);
        if (started) {
            moment(start, "head starts on " + cluster.cores() + " cores");
        }
        return new Verdict(
                "The head job starts no later than its reservation",
                started && !start.isAfter(reservation),
                started
                        ? "started " + Duration.between(start, reservation).toSeconds() + " s before its reservation"
                        : "did not start");
    }

    private Verdict theCheckpointedJobEndsWithTheCorrectResult(
            final CheckpointingJob saver, final String id, final String key) {
        output.scene("the checkpointed job continues");
        queues.until("saver runs again", b -> b.runs("saver"));
        queues.job("saver").map(QueueMonitor.Row::started).ifPresent(at -> moment(at, "saver starts again"));
        final boolean over = queues.until(
                "saver has ended",
                b -> b.globalJob(id).map(RestQueries.GlobalJob::isOver).orElse(false));
        final String state =
                queues.globalJob(id).map(RestQueries.GlobalJob::state).orElse("unknown");
        final List<RestQueries.Run> runs = queries.runs(key);
        if (!runs.isEmpty()) {
            moment(runs.getLast().ended(), "saver ends");
        }
        return new Verdict(
                "The checkpointed job runs the rest of its work and ends with the result of an uninterrupted run",
                over
                        && state.equals("succeeded")
                        && saver.result().equals(saver.expected())
                        && saver.segments().equals(List.of("0", "1"))
                        && saver.stepsDoneTwice() < CheckpointingJob.EVERY
                        && runs.stream().map(RestQueries.Run::how).toList().equals(List.of("checkpointed", "exited")),
                "saver: " + state + ", result " + saver.result() + " (expected " + saver.expected() + "), segments "
                        + saver.segments() + ", " + saver.stepsDoneTwice() + " of " + saver.steps()
                        + " steps ran twice, "
                        + runs.stream()
                                .mapToLong(RestQueries.Run::lostCoreSeconds)
                                .sum() + " core seconds lost");
    }

    private static Optional<RestQueries.Order> last(final List<RestQueries.Order> orders, final String action) {
        return orders.stream()
                .filter(order -> order.action().equals(action))
                .reduce((one, other) -> one.issued().isAfter(other.issued()) ? one : other);
    }

    private static Instant second(final Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }

    private void moment(final Instant at, final String what) {
        moments.add(new Moment(at, what));
    }

    /** The events, in seconds relative to the reservation. */
    List<String> times() {
        final List<String> lines = new ArrayList<>();
        lines.add("%-30s %8s  %s".formatted("TIME", "SECONDS", "EVENT"));
        moments.stream()
                .sorted((one, other) -> one.at().compareTo(other.at()))
                .forEach(moment -> lines.add("%-30s %+8.1f  %s"
                        .formatted(
                                second(moment.at()),
                                Duration.between(reservation, moment.at()).toMillis() / 1000.0,
                                moment.what())));
        return lines;
    }
}
