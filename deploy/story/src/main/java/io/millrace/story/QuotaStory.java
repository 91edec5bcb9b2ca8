package io.millrace.story;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Two users with half of one cluster each, told alike whoever keeps the quotas: Millrace's reclaims, or the workload manager by its own
 * means. Alice borrows what is idle; bob takes back what is his, and no more; what was put back runs again.
 */
final class QuotaStory {

    private static final int WIDTH = 4;
    private static final Duration LIMIT = Duration.ofMinutes(20);

    /** Longest time within which others are to give way: some looks of an agent, passes of a scheduler, and a busy machine. */
    private static final Duration SOON = Duration.ofMinutes(2);

    private final Site.Cluster cluster;
    private final Person alice;
    private final Person bob;
    private final Board board;
    private final Views views;
    private final Show show;
    private final int quota;
    private final List<String> figures = new ArrayList<>();
    private int leastOfAlice;

    QuotaStory(final Site.Cluster cluster, final Cast cast) {
        this.cluster = cluster;
        this.alice = cast.alice();
        this.bob = cast.bob();
        this.board = cast.board();
        this.views = cast.views();
        this.show = cast.show();
        this.quota = cluster.cores() / 2;
        this.leastOfAlice = cluster.cores();
    }

    /** @param newest a job of alice's that can save itself, and is the first to be taken; empty where none can */
    List<Verdict> tell(final Optional<SavingVictim> newest) {
        final List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(whatIsIdleMayBeBorrowed(newest));
        if (!verdicts.getLast().kept()) {
            return verdicts;
        }
        verdicts.add(whoIsWithinQuotaIsServed(1));
        newest.ifPresent(saver -> verdicts.add(saver.wasSaved(views, figures)));
        verdicts.add(whoIsWithinQuotaIsServed(2));
        verdicts.add(whoIsBeyondQuotaWaits());
        verdicts.add(whatWasPutBackRunsAgain());
        newest.ifPresent(saver -> verdicts.add(saver.endsRight(board)));
        return verdicts;
    }

    /** Bob's jobs run until this file is there. */
    private Path done() {
        return bob.home().resolve("done-" + cluster.name()).resolve("done");
    }

    private String name(final String what) {
        return cluster.name() + "-" + what;
    }

    private List<String> fill(final Optional<SavingVictim> newest) {
        final int plain = cluster.cores() / WIDTH - (newest.isPresent() ? 1 : 0);
        final List<String> names = new ArrayList<>(IntStream.rangeClosed(1, plain)
                .mapToObj(i -> alice.handIn(cluster.name(), name("fill-" + i), WIDTH, LIMIT, "sleep 900")
                        .jobName())
                .toList());
        newest.ifPresent(saver -> {
            board.until("alice's other jobs run", b -> names.stream().allMatch(b::runs));
            names.add(saver.submit(cluster, alice));
        });
        return names;
    }

    private Verdict whatIsIdleMayBeBorrowed(final Optional<SavingVictim> newest) {
        show.scene("alice, who has " + quota + " of " + cluster.name() + "'s " + cluster.cores()
                + " cores, fills all of them");
        final List<String> names = fill(newest);
        final boolean full =
                board.until(cluster.name() + " is full", b -> names.stream().allMatch(b::runs));
        newest.ifPresent(saver -> saver.letItWork(board));
        return new Verdict(
                cluster.name() + ": what nobody uses may be borrowed",
                full && coresOf(alice) == cluster.cores(),
                "alice runs on " + coresOf(alice) + " cores, " + quota + " of them are her own");
    }

    private Verdict whoIsWithinQuotaIsServed(final int number) {
        final String job = name("bob-" + number);
        show.scene("bob, within his " + quota + " cores, asks for " + WIDTH);
        final int before = coresOf(alice);
        final Instant asked = Instant.now();
        bob.handIn(cluster.name(), job, WIDTH, LIMIT, "until [ -e " + done() + " ]; do sleep 1; done");
        final boolean runs = watch(job + " runs", b -> b.started(job).isPresent());
        final boolean back = watch("as many cores are alice's no longer", b -> coresOf(alice) <= before - WIDTH);
        final Duration waited = Duration.between(asked, board.started(job).orElse(Instant.MAX));
        final boolean soon = runs && waited.compareTo(SOON) <= 0;
        figures.add("%-6s  %-12s  %4d s  %5d -> %-5d  %5d"
                .formatted(cluster.name(), job, Math.max(0, waited.toSeconds()), before, coresOf(alice), quota));
        return new Verdict(
                cluster.name()
                        + ": a user within quota does not wait for one beyond it; no more is taken than is needed",
                soon && back && coresOf(alice) == before - WIDTH && leastOfAlice >= quota,
                job
                        + (runs
                                ? " started " + Math.max(0, waited.toSeconds()) + " s after it was handed in"
                                : " does not run")
                        + "; alice went from " + before + " to " + coresOf(alice) + " cores");
    }

    private Verdict whoIsBeyondQuotaWaits() {
        final String job = name("bob-3");
        show.scene("bob asks for " + WIDTH + " more, beyond his quota");
        bob.handIn(cluster.name(), job, WIDTH, LIMIT, "sleep 5");
        final boolean told = watch(
                job + " waits, and it is told by what right",
                b -> b.job(job)
                        .filter(Board.Row::waits)
                        .filter(row -> row.why().startsWith("borrowed"))
                        .isPresent());
        final String why = board.job(job).map(row -> views.whyLocal(row.job())).orElse("");
        return new Verdict(
                cluster.name()
                        + ": who is beyond quota takes nothing from anybody, and a quota that is used is never touched",
                told && leastOfAlice >= quota && coresOf(alice) == quota,
                "alice never had less than " + leastOfAlice + " cores; why does " + job + " wait? " + why);
    }

    private Verdict whatWasPutBackRunsAgain() {
        show.scene("bob's jobs end");
        bob.write(done(), "");
        final boolean again = watch("alice's jobs have the cluster again", b -> coresOf(alice) == cluster.cores());
        return new Verdict(
                cluster.name() + ": what was put back runs again when there is room",
                again,
                "alice runs on " + coresOf(alice) + " cores again");
    }

    /** Looks until it holds, and notes how few cores alice ever had. */
    private boolean watch(final String expectation, final Predicate<Board> condition) {
        return board.until(expectation, b -> {
            leastOfAlice = Math.min(leastOfAlice, coresOf(alice));
            return condition.test(b);
        });
    }

    private int coresOf(final Person person) {
        return board.running(cluster.name(), person.name());
    }

    /** A line for each time that others gave way. */
    List<String> figures() {
        return figures;
    }

    static String heading() {
        return "%-6s  %-12s  %6s  %-14s  %s".formatted("ON", "JOB", "WAITED", "ALICE'S CORES", "HER QUOTA");
    }
}
