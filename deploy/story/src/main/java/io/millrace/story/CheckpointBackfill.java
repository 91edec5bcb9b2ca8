package io.millrace.story;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A job overtakes on a shrunk estimate, and is saved and put back when the job that it overtook is due: on one real cluster, by nobody but
 * the services. Half of the cluster runs until {@value #TIDE_ENDS_BEFORE_S} s before the reservation, so the saver's cores are the last to come
 * free: only its checkpoint lets the head start on time.
 */
final class CheckpointBackfill {

    private static final Duration TIDE_LIMIT = Duration.ofMinutes(3);
    private static final int TIDE_ENDS_BEFORE_S = 12;

    /** Limit of the job that overtakes: far beyond the reservation. */
    private static final Duration SAVER_LIMIT = Duration.ofMinutes(25);

    private static final int SAVER_STEPS = 200;

    /** What the settings of this proof say that a checkpoint takes: so much before the reservation it is begun. */
    private static final Duration CHECKPOINT_COST = Duration.ofSeconds(20);

    /** Reservations are told to the second, and an order is made up to a revision later. */
    private static final Duration ROUNDING = Duration.ofSeconds(2);

    private record Moment(Instant at, String what) {}

    private final Site.Cluster cluster;
    private final Person alice;
    private final Person bob;
    private final Board board;
    private final Views views;
    private final Show show;
    private final List<Moment> moments = new ArrayList<>();
    /** What the head was promised before anybody overtook it. */
    private Instant reservation = Instant.EPOCH;

    CheckpointBackfill(final Site.Cluster cluster, final Cast cast) {
        this.cluster = cluster;
        this.alice = cast.alice();
        this.bob = cast.bob();
        this.board = cast.board();
        this.views = cast.views();
        this.show = cast.show();
    }

    List<Verdict> tell() {
        final List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(theHeadIsReserved());
        reservation = board.predicted("head").orElse(Instant.EPOCH);
        final SavingJob saver = new SavingJob(alice.home().resolve("saver"), SAVER_STEPS);
        final String id = submit(saver);
        verdicts.add(aLongJobPasses());
        if (!verdicts.getLast().kept()) {
            return verdicts; // nobody would be cut, so there is nothing to wait for
        }
        final String key = board.job("saver").orElseThrow().job();
        verdicts.add(itIsSavedWhenTheReservationIsDue(key));
        verdicts.add(theHeadStartsOnTime());
        verdicts.add(theSavedJobEndsWithTheRightResult(saver, id, key));
        return verdicts;
    }

    private Verdict theHeadIsReserved() {
        show.scene("half of " + cluster.name() + " is busy; a job for all of it must wait");
        final int half = cluster.cores() / 2;
        alice.handIn(
                cluster.name(), "tide", half, TIDE_LIMIT, "sleep " + (TIDE_LIMIT.toSeconds() - TIDE_ENDS_BEFORE_S));
        final boolean tide = board.until("tide runs on " + half + " cores", b -> b.runs("tide"));
        bob.handIn(cluster.name(), "head", cluster.cores(), Duration.ofMinutes(2), "sleep 10");
        final boolean reserved = board.until(
                "the job for all of it has a reservation",
                b -> b.waits("head") && b.predicted("head").isPresent());
        final Instant due = board.started("tide").orElse(Instant.MIN).plus(TIDE_LIMIT);
        board.started("tide").ifPresent(at -> moment(at, "tide starts on " + half + " cores; its limit is " + due));
        final Instant promised = board.predicted("head").orElse(Instant.MIN);
        moment(promised, "RESERVATION of head");
        return new Verdict(
                "The first job that does not fit is promised a time: when tide's limit is over",
                tide && reserved && Duration.between(due, promised).abs().compareTo(ROUNDING) <= 0,
                "tide's limit is over at " + due + ", promised is " + promised);
    }

    private String submit(final SavingJob saver) {
        show.scene("alice submits a job of " + SAVER_LIMIT.toMinutes() + " minutes that can save itself");
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
                        SavingJob.MARKER,
                        "--checkpoint-grace",
                        "0:30",
                        "-d",
                        saver.directory().toString(),
                        script.toString()));
    }

    private Verdict aLongJobPasses() {
        board.until(
                "it passes, though its limit lies far beyond the reservation",
                b -> b.runs("saver") || b.started("head").isPresent());
        final Optional<Instant> start = board.started("saver");
        final Optional<Views.Order> order = board.job("saver").flatMap(job -> last(views.orders(job.job()), "start"));
        start.ifPresent(at -> moment(at, "saver starts; its limit is " + at.plus(SAVER_LIMIT)));
        final String reason = order.map(Views.Order::reason).orElse("no order to start it");
        return new Verdict(
                "A job too long for the gap overtakes on a shrunk estimate",
                start.map(at -> at.isBefore(reservation)
                                && at.plus(SAVER_LIMIT).isAfter(reservation)
                                && reason.contains("else saved and put back for"))
                        .orElse(false),
                reason);
    }

    private Verdict itIsSavedWhenTheReservationIsDue(final String key) {
        show.scene("the reservation comes");
        board.until("saver waits again", b -> b.waits("saver") || b.job("saver").isEmpty());
        final Optional<Views.Order> cut = last(views.orders(key), "checkpoint");
        cut.ifPresent(order -> {
            moment(order.issued(), "backfill orders saver's checkpoint");
            if (order.answered() != null) {
                moment(order.answered(), "the checkpoint is " + order.result());
            }
        });
        final Instant due = reservation.minus(CHECKPOINT_COST);
        return new Verdict(
                "It is saved when the reservation is due: not earlier than a checkpoint takes, and in time",
                cut.map(order -> order.by().equals("backfill")
                                && order.result().equals("done")
                                && !order.issued().isBefore(due.minus(ROUNDING))
                                && !order.issued().isAfter(reservation)
                                && order.answered() != null
                                && !order.answered().isAfter(reservation))
                        .orElse(false),
                cut.map(order -> "due at " + due + ", ordered at " + second(order.issued()) + ", " + order.result()
                                + " at " + (order.answered() == null ? "-" : second(order.answered())) + ": "
                                + order.reason())
                        .orElse("no order to save it"));
    }

    private Verdict theHeadStartsOnTime() {
        final boolean started =
                board.until("head starts", b -> b.started("head").isPresent());
        final Instant start = board.started("head").orElse(Instant.MAX);
        if (started) {
            moment(start, "head starts on " + cluster.cores() + " cores");
        }
        return new Verdict(
                "The head job starts no later than it was promised",
                started && !start.isAfter(reservation),
                started
                        ? "started " + Duration.between(start, reservation).toSeconds() + " s before its reservation"
                        : "did not start");
    }

    private Verdict theSavedJobEndsWithTheRightResult(final SavingJob saver, final String id, final String key) {
        show.scene("the saved job goes on");
        board.until("saver runs again", b -> b.runs("saver"));
        board.job("saver").map(Board.Row::started).ifPresent(at -> moment(at, "saver starts again"));
        final boolean over = board.until(
                "saver is over",
                b -> b.globalJob(id).map(Views.GlobalJob::isOver).orElse(false));
        final String state = board.globalJob(id).map(Views.GlobalJob::state).orElse("unknown");
        final List<Views.Run> runs = views.runs(key);
        if (!runs.isEmpty()) {
            moment(runs.getLast().ended(), "saver ends");
        }
        return new Verdict(
                "The saved job runs what remains of it and ends with the result of an uninterrupted run",
                over
                        && state.equals("End")
                        && saver.result().equals(saver.expected())
                        && saver.segments().equals(List.of("0", "1"))
                        && saver.stepsDoneTwice() < SavingJob.EVERY
                        && runs.stream().map(Views.Run::how).toList().equals(List.of("checkpointed", "exited")),
                "saver: " + state + ", result " + saver.result() + " (expected " + saver.expected() + "), segments "
                        + saver.segments() + ", " + saver.stepsDoneTwice() + " of " + saver.steps()
                        + " steps done twice, "
                        + runs.stream().mapToLong(Views.Run::lostCoreSeconds).sum() + " core seconds lost");
    }

    private static Optional<Views.Order> last(final List<Views.Order> orders, final String action) {
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

    /** What happened when, in seconds from the reservation. */
    List<String> times() {
        final List<String> lines = new ArrayList<>();
        lines.add("%-30s %8s  %s".formatted("TIME", "SECONDS", "WHAT"));
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
