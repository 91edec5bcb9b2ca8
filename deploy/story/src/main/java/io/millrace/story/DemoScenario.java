package io.millrace.story;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Two users, three clusters, one queue. Each scene ends with a verdict on one promise.
 *
 * <p>On {@code alpha} alice exceeds her quota, then bob, within his quota, requests some of the cores. His next job migrates from
 * {@code alpha} to {@code beta}. On {@code beta} a short job is backfilled before a wide one. On {@code gamma} a running job is stopped.
 */
final class DemoScenario {

    private static final int NUMBERS = 100_000;

    private final SiteUser alice;
    private final SiteUser bob;
    private final QueueMonitor queues;
    private final ProgressOutput output;
    private final RestQueries queries;
    private final List<String> global = new ArrayList<>();

    DemoScenario(final Participants participants) {
        this.alice = participants.alice();
        this.bob = participants.bob();
        this.queues = participants.queues();
        this.queries = participants.queries();
        this.output = participants.output();
    }

    List<Verdict> run() {
        final List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(theNewestBorrowedJobIsPreempted());
        verdicts.add(aJobMigratesAndItsResultsReturn());
        verdicts.add(aShortJobIsBackfilledAndTheHeadJobStartsOnTime());
        verdicts.add(aRunningJobIsStopped());
        return verdicts;
    }

    private Verdict theNewestBorrowedJobIsPreempted() {
        output.scene("alice fills alpha beyond her quota; bob, within his quota, requests four cores");
        final List<String> fill = IntStream.rangeClosed(1, 4)
                .mapToObj(i -> alice.submit("alpha", "fill-" + i, 4, Duration.ofMinutes(20), "sleep 900")
                        .jobName())
                .toList();
        final boolean full = queues.until("alpha is full", b -> fill.stream().allMatch(b::runs));
        final String newest = fill.stream()
                .max((a, b) -> queues.started(a)
                        .orElse(Instant.MIN)
                        .compareTo(queues.started(b).orElse(Instant.MIN)))
                .orElseThrow();
        bob.submit("alpha", "urgent", 4, Duration.ofMinutes(20), "sleep 900");
        final boolean runs = queues.until("bob's job runs", b -> b.runs("urgent"));
        final boolean queued = queues.until(
                "one of alice's jobs is queued again", b -> fill.stream().anyMatch(b::waits));
        final List<String> waiting = fill.stream().filter(queues::waits).toList();
        return new Verdict(
                "A job within quota does not wait for borrowed jobs: the newest borrowed job is requeued",
                full && runs && queued && waiting.size() == 1 && sameStart(waiting.getFirst(), newest),
                "urgent " + (runs ? "runs" : "does not run") + " on alpha, waiting again: " + waiting);
    }

    /** Slurm may start several jobs within one second; each of those counts as the newest. */
    private boolean sameStart(final String one, final String other) {
        return queues.started(one).equals(queues.started(other));
    }

    private Verdict aJobMigratesAndItsResultsReturn() {
        output.scene("bob submits a job from a directory on alpha, which is full");
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
                List.of("-n", "4", "-t", "5:00", "-J", "survey", "-D", directory.toString(), directory + "/survey.sh"));
        global.add(id);
        final boolean ended = queues.until(
                "the survey has ended and its results are back",
                b -> b.globalJob(id).map(RestQueries.GlobalJob::isOver).orElse(false));
        final RestQueries.GlobalJob job = queues.globalJob(id).orElseThrow();
        final String sum = Texts.readIfThere(directory.resolve("sum.txt"));
        final String digest = Texts.readIfThere(directory.resolve("input.sha256"));
        final long expected = (long) NUMBERS * (NUMBERS + 1) / 2;
        return new Verdict(
                "A job that does not fit on its cluster runs on another one and its results are copied back",
                ended
                        && job.state().equals("succeeded")
                        && job.cluster().equals("beta")
                        && sum.equals(Long.toString(expected))
                        && digest.equals(Texts.sha256(input)),
                "survey: " + job.state() + " on " + job.cluster() + ", sum " + sum + " (expected " + expected
                        + "), checksum of its input " + (digest.equals(Texts.sha256(input)) ? "matches" : "differs"));
    }

    private Verdict aShortJobIsBackfilledAndTheHeadJobStartsOnTime() {
        output.scene("on beta a wide job waits; a short one is backfilled if the wide one still starts on time");
        alice.submit("beta", "tide", 12, Duration.ofMinutes(3), "sleep 40");
        final boolean tide = queues.until("tide runs on 12 of beta's 16 cores", b -> b.runs("tide"));
        bob.submit("beta", "head", 16, Duration.ofMinutes(2), "sleep 5");
        final boolean reserved = queues.until(
                "the wide job has a reservation",
                b -> b.waits("head") && b.predicted("head").isPresent());
        final Instant reservation = queues.predicted("head").orElse(Instant.MIN);
        alice.submit("beta", "short", 4, Duration.ofMinutes(1), "sleep 10");
        final boolean passed =
                queues.until("the short job runs", b -> b.started("short").isPresent());
        final boolean first = queues.started("head").isEmpty();
        final boolean started =
                queues.until("the wide job starts", b -> b.started("head").isPresent());
        final Instant start = queues.started("head").orElse(Instant.MAX);
        return new Verdict(
                "A short job is backfilled before a reserved wide one, which starts on time",
                tide && reserved && passed && first && started && !start.isAfter(reservation),
                "short " + (first ? "ran first" : "was not backfilled") + ", head started "
                        + Duration.between(start, reservation).toSeconds() + " s before its reservation");
    }

    private Verdict aRunningJobIsStopped() {
        output.scene("bob starts a long job on gamma and stops it");
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
                        "-D",
                        directory.toString(),
                        directory + "/long.sh"));
        global.add(id);
        final boolean ran = queues.until("the long job runs on gamma", b -> b.runs("long"));
        bob.millrace("alpha", "mgstop", List.of(id, "--reason", "wrong input")).orThrow();
        final boolean over = queues.until(
                "it is stopped",
                b -> b.globalJob(id).map(RestQueries.GlobalJob::isOver).orElse(false)
                        && b.job("long").isEmpty());
        final String state =
                queues.globalJob(id).map(RestQueries.GlobalJob::state).orElse("unknown");
        return new Verdict(
                "A job is stopped while it runs",
                ran && over && state.equals("stopped"),
                "long ran on gamma, now " + state + ", gone from gamma's queue");
    }

    /** A table of all jobs: the cluster of each, and the reason. */
    List<String> table() {
        queues.poll();
        final List<String> lines = new ArrayList<>();
        lines.add("%-10s %-10s %-8s %s".formatted("JOB", "USER", "CLUSTER", "REASON"));
        for (final QueueMonitor.Row row : queues.everyJob()) {
            lines.add("%-10s %-10s %-8s %s"
                    .formatted(row.name(), row.owner(), row.cluster(), queries.whyLocal(row.job())));
        }
        for (final String id : global) {
            lines.add("%-30s %s".formatted(id, queries.why(id)));
        }
        return lines;
    }
}
