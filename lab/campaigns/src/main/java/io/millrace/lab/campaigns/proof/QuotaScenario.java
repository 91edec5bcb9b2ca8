package io.millrace.lab.campaigns.proof;

import io.millrace.story.Participants;
import io.millrace.story.ProgressOutput;
import io.millrace.story.QueueMonitor;
import io.millrace.story.RestQueries;
import io.millrace.story.Site;
import io.millrace.story.SiteUser;
import io.millrace.story.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Two users with a quota of half a cluster each. The promises are the same whether Millrace enforces the quotas by reclaims or the workload
 * manager does. Alice borrows idle cores; bob gets his quota back and no more; requeued jobs run again.
 */
final class QuotaScenario {

    private static final int WIDTH = 4;
    private static final Duration LIMIT = Duration.ofMinutes(20);

    /** Time limit of a preemption: several polls of an agent and passes of a scheduler, on a busy machine. */
    private static final Duration SOON = Duration.ofMinutes(5);

    private final Site.Cluster cluster;
    private final SiteUser alice;
    private final SiteUser bob;
    private final QueueMonitor queues;
    private final RestQueries queries;
    private final ProgressOutput output;
    private final int quota;
    private final List<String> figures = new ArrayList<>();
    private int leastOfAlice;

    QuotaScenario(final Site.Cluster cluster, final Participants participants) {
        this.cluster = cluster;
        this.alice = participants.alice();
        this.bob = participants.bob();
        this.queues = participants.queues();
        this.queries = participants.queries();
        this.output = participants.output();
        this.quota = cluster.cores() / 2;
        this.leastOfAlice = cluster.cores();
    }

    /** @param newest a job of alice that supports checkpoints and is the first victim; empty if there is none */
    List<Verdict> run(final Optional<CheckpointedVictim> newest) {
        final List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(idleCoresCanBeBorrowed(newest));
        if (!verdicts.getLast().kept()) {
            return verdicts;
        }
        verdicts.add(aJobWithinQuotaStartsAtOnce(1));
        newest.ifPresent(saver -> verdicts.add(saver.wasSaved(queries, figures)));
        verdicts.add(aJobWithinQuotaStartsAtOnce(2));
        verdicts.add(aJobBeyondQuotaWaits());
        verdicts.add(requeuedJobsRunAgain());
        newest.ifPresent(saver -> verdicts.add(saver.endsCorrectly(queues)));
        return verdicts;
    }

    /** Bob's jobs run until this file is there. */
    private Path done() {
        return bob.home().resolve("done-" + cluster.name()).resolve("done");
    }

    private String name(final String what) {
        return cluster.name() + "-" + what;
    }

    private List<String> fill(final Optional<CheckpointedVictim> newest) {
        final int plain = cluster.cores() / WIDTH - (newest.isPresent() ? 1 : 0);
        final List<String> names = new ArrayList<>(IntStream.rangeClosed(1, plain)
                .mapToObj(i -> alice.submit(cluster.name(), name("fill-" + i), WIDTH, LIMIT, "sleep 900")
                        .jobName())
                .toList());
        newest.ifPresent(saver -> {
            queues.until("alice's other jobs run", b -> names.stream().allMatch(b::runs));
            names.add(saver.submit(cluster, alice));
        });
        return names;
    }

    private Verdict idleCoresCanBeBorrowed(final Optional<CheckpointedVictim> newest) {
        output.scene("alice, who has " + quota + " of " + cluster.name() + "'s " + cluster.cores()
                + " cores, fills all of them");
        final List<String> names = fill(newest);
        final boolean full =
                queues.until(cluster.name() + " is full", b -> names.stream().allMatch(b::runs));
        newest.ifPresent(saver -> saver.awaitWork(queues));
        return new Verdict(
                cluster.name() + ": idle cores can be borrowed",
                full && coresOf(alice) == cluster.cores(),
                "alice runs on " + coresOf(alice) + " cores, her quota is " + quota);
    }

    private Verdict aJobWithinQuotaStartsAtOnce(final int number) {
        final String job = name("bob-" + number);
        output.scene("bob, within his " + quota + " cores, requests " + WIDTH);
        final int before = coresOf(alice);
        final Instant requested = Instant.now();
        bob.submit(cluster.name(), job, WIDTH, LIMIT, "until [ -e " + done() + " ]; do sleep 1; done");
        final boolean runs = watch(job + " runs", b -> b.started(job).isPresent());
        final boolean back = watch("alice has that many cores less", b -> coresOf(alice) <= before - WIDTH);
        final Duration waited = Duration.between(requested, queues.started(job).orElse(Instant.MAX));
        final boolean soon = runs && waited.compareTo(SOON) <= 0;
        figures.add("%-6s  %-12s  %4d s  %5d -> %-5d  %5d"
                .formatted(cluster.name(), job, Math.max(0, waited.toSeconds()), before, coresOf(alice), quota));
        return new Verdict(
                cluster.name()
                        + ": a job within quota does not wait for borrowed jobs; no more cores are preempted than it"
                        + " needs",
                soon && back && coresOf(alice) == before - WIDTH && leastOfAlice >= quota,
                job
                        + (runs
                                ? " started " + Math.max(0, waited.toSeconds()) + " s after it was submitted"
                                : " does not run")
                        + "; alice went from " + before + " to " + coresOf(alice) + " cores");
    }

    private Verdict aJobBeyondQuotaWaits() {
        final String job = name("bob-3");
        output.scene("bob requests " + WIDTH + " more cores, beyond his quota");
        bob.submit(cluster.name(), job, WIDTH, LIMIT, "sleep 5");
        final boolean waits = watch(
                job + " waits and its entitlement level is published",
                b -> b.job(job)
                        .filter(QueueMonitor.Row::waits)
                        .filter(row -> row.reason().startsWith("borrowed"))
                        .isPresent());
        final String why =
                queues.job(job).map(row -> queries.whyLocal(row.job())).orElse("");
        return new Verdict(
                cluster.name() + ": a job beyond quota preempts nothing, and no job within quota is preempted",
                waits && leastOfAlice >= quota && coresOf(alice) == quota,
                "alice had at least " + leastOfAlice + " cores; reason of " + job + ": " + why);
    }

    private Verdict requeuedJobsRunAgain() {
        output.scene("bob's jobs end");
        bob.write(done(), "");
        final boolean again = watch("alice's jobs have the cluster again", b -> coresOf(alice) == cluster.cores());
        return new Verdict(
                cluster.name() + ": requeued jobs run again when cores are free",
                again,
                "alice runs on " + coresOf(alice) + " cores again");
    }

    /** Polls until the condition holds, and records the smallest number of cores that alice had. */
    private boolean watch(final String expectation, final Predicate<QueueMonitor> condition) {
        return queues.until(expectation, b -> {
            leastOfAlice = Math.min(leastOfAlice, coresOf(alice));
            return condition.test(b);
        });
    }

    private int coresOf(final SiteUser person) {
        return queues.running(cluster.name(), person.name());
    }

    /** One line per preemption. */
    List<String> figures() {
        return figures;
    }

    static String heading() {
        return "%-6s  %-12s  %6s  %-14s  %s".formatted("ON", "JOB", "WAITED", "ALICE'S CORES", "HER QUOTA");
    }
}
