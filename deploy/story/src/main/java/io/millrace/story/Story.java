package io.millrace.story;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Two people, three clusters, one queue. Each scene ends with what was promised and whether it was kept.
 *
 * <p>On {@code alpha} alice fills the cluster beyond her quota, then bob, within his, asks for a part of it. His next job goes from there to
 * {@code beta}. On {@code beta} a short job passes a wide one. On {@code gamma} a job is stopped while it runs.
 */
final class Story {

    private static final int NUMBERS = 100_000;

    private final Person alice;
    private final Person bob;
    private final Board board;
    private final Show show;
    private final Views views;
    private final List<String> global = new ArrayList<>();

    Story(final Cast cast) {
        this.alice = cast.alice();
        this.bob = cast.bob();
        this.board = cast.board();
        this.views = cast.views();
        this.show = cast.show();
    }

    List<Verdict> tell() {
        final List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(theNewestBorrowerGivesWay());
        verdicts.add(aJobGoesWhereThereIsRoomAndItsResultsComeHome());
        verdicts.add(aShortJobPassesAndTheHeadJobStartsOnTime());
        verdicts.add(aRunningJobIsStopped());
        return verdicts;
    }

    private Verdict theNewestBorrowerGivesWay() {
        show.scene("alice fills alpha beyond her quota; bob, within his, needs four cores of it");
        final List<String> fill = IntStream.rangeClosed(1, 4)
                .mapToObj(i -> alice.handIn("alpha", "fill-" + i, 4, Duration.ofMinutes(20), "sleep 900")
                        .jobName())
                .toList();
        final boolean full = board.until("alpha is full", b -> fill.stream().allMatch(b::runs));
        final String newest = fill.stream()
                .max((a, b) -> board.started(a)
                        .orElse(Instant.MIN)
                        .compareTo(board.started(b).orElse(Instant.MIN)))
                .orElseThrow();
        bob.handIn("alpha", "urgent", 4, Duration.ofMinutes(20), "sleep 900");
        final boolean runs = board.until("bob's job runs", b -> b.runs("urgent"));
        final boolean queued = board.until(
                "one of alice's jobs is queued again", b -> fill.stream().anyMatch(b::waits));
        final List<String> waiting = fill.stream().filter(board::waits).toList();
        return new Verdict(
                "A user within quota does not wait for one beyond it: the newest borrower gives way and is queued again",
                full && runs && queued && waiting.size() == 1 && sameStart(waiting.getFirst(), newest),
                "urgent " + (runs ? "runs" : "does not run") + " on alpha, waiting again: " + waiting);
    }

    /** Slurm starts several jobs within one second: any of those started last is a newest one. */
    private boolean sameStart(final String one, final String other) {
        return board.started(one).equals(board.started(other));
    }

    private Verdict aJobGoesWhereThereIsRoomAndItsResultsComeHome() {
        show.scene("bob submits a job from a directory on alpha, which is full");
        final Path directory = bob.home().resolve("survey");
        final String input = LongStream.rangeClosed(1, NUMBERS)
                .collect(StringBuilder::new, (text, n) -> text.append(n).append('\n'), StringBuilder::append)
                .toString();
        bob.write(directory.resolve("input.dat"), input);
        bob.write(
                directory.resolve("survey.sh"),
                "#!/bin/sh\nawk '{ sum += $1 } END { printf \"%.0f\\n\", sum }' input.dat >sum.txt\n"
                        + "sha256sum input.dat | cut -d' ' -f1 >input.sha256\n");
        final String id = bob.mgsub(
                "alpha",
                List.of("-n", "4", "-t", "5:00", "-J", "survey", "-d", directory.toString(), directory + "/survey.sh"));
        global.add(id);
        final boolean ended = board.until(
                "the survey has ended and its results are home",
                b -> b.globalJob(id).map(Views.GlobalJob::isOver).orElse(false));
        final Views.GlobalJob job = board.globalJob(id).orElseThrow();
        final String sum = Texts.readIfThere(directory.resolve("sum.txt"));
        final String digest = Texts.readIfThere(directory.resolve("input.sha256"));
        final long expected = (long) NUMBERS * (NUMBERS + 1) / 2;
        return new Verdict(
                "A job that does not fit at home runs on another cluster and its results come home",
                ended
                        && job.state().equals("End")
                        && job.cluster().equals("beta")
                        && sum.equals(Long.toString(expected))
                        && digest.equals(Texts.sha256(input)),
                "survey: " + job.state() + " on " + job.cluster() + ", sum " + sum + " (expected " + expected
                        + "), checksum of its input " + (digest.equals(Texts.sha256(input)) ? "agrees" : "differs"));
    }

    private Verdict aShortJobPassesAndTheHeadJobStartsOnTime() {
        show.scene("on beta a wide job must wait; a short one may pass, if the wide one still starts on time");
        alice.handIn("beta", "tide", 12, Duration.ofMinutes(3), "sleep 40");
        final boolean tide = board.until("tide runs on 12 of beta's 16 cores", b -> b.runs("tide"));
        bob.handIn("beta", "head", 16, Duration.ofMinutes(2), "sleep 5");
        final boolean reserved = board.until(
                "the wide job has a reservation",
                b -> b.waits("head") && b.predicted("head").isPresent());
        final Instant reservation = board.predicted("head").orElse(Instant.MIN);
        alice.handIn("beta", "short", 4, Duration.ofMinutes(1), "sleep 10");
        final boolean passed =
                board.until("the short job runs", b -> b.started("short").isPresent());
        final boolean first = board.started("head").isEmpty();
        final boolean started =
                board.until("the wide job starts", b -> b.started("head").isPresent());
        final Instant start = board.started("head").orElse(Instant.MAX);
        return new Verdict(
                "A short job is backfilled before a reserved wide one, which starts on time",
                tide && reserved && passed && first && started && !start.isAfter(reservation),
                "short " + (first ? "ran first" : "did not pass") + ", head started "
                        + Duration.between(start, reservation).toSeconds() + " s before its reservation");
    }

    private Verdict aRunningJobIsStopped() {
        show.scene("bob starts a long job on gamma and thinks better of it");
        final Path directory = bob.home().resolve("long");
        bob.write(directory.resolve("long.sh"), "#!/bin/sh\nsleep 600\n");
        final String id = bob.mgsub(
                "alpha",
                List.of(
                        "-n",
                        "2",
                        "-t",
                        "20:00",
                        "-J",
                        "long",
                        "--target",
                        "gamma",
                        "-d",
                        directory.toString(),
                        directory + "/long.sh"));
        global.add(id);
        final boolean ran = board.until("the long job runs on gamma", b -> b.runs("long"));
        bob.millrace("alpha", "mgstop", List.of(id, "--reason", "wrong input")).orThrow();
        final boolean over = board.until(
                "it is stopped",
                b -> b.globalJob(id).map(Views.GlobalJob::isOver).orElse(false)
                        && b.job("long").isEmpty());
        final String state = board.globalJob(id).map(Views.GlobalJob::state).orElse("unknown");
        return new Verdict(
                "A job is stopped while it runs",
                ran && over && state.equals("Stopped"),
                "long ran on gamma, now " + state + ", gone from gamma's queue");
    }

    /** A table of all jobs: where each ran, and why. */
    List<String> table() {
        board.look();
        final List<String> lines = new ArrayList<>();
        lines.add("%-10s %-10s %-8s %s".formatted("JOB", "USER", "CLUSTER", "WHY"));
        for (final Board.Row row : board.everyJob()) {
            lines.add(
                    "%-10s %-10s %-8s %s".formatted(row.name(), row.owner(), row.cluster(), views.whyLocal(row.job())));
        }
        for (final String id : global) {
            lines.add("%-30s %s".formatted(id, views.why(id)));
        }
        return lines;
    }
}
