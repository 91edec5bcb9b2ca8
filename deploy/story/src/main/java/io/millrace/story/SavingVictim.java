package io.millrace.story;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A job of alice's that can save itself, and has done more than saving costs when others need its cores. */
final class SavingVictim {

    private static final String NAME = "saver";
    private static final int WIDTH = 4;
    private static final int STEPS = 120;
    private static final int GRACE_S = 10;

    /** How long it works before anybody asks for its cores: longer than its grace time and what a restart costs. */
    private static final Duration WORK = Duration.ofSeconds(20);

    private final SavingJob work;
    private String id = "";
    private String key = "";

    SavingVictim(final Person alice) {
        this.work = new SavingJob(alice.home().resolve(NAME), STEPS);
    }

    String submit(final Site.Cluster cluster, final Person alice) {
        final var script = alice.write(work.directory().resolve(NAME + ".sh"), work.script());
        id = alice.mgsub(
                cluster.name(),
                List.of(
                        "--target",
                        cluster.name(),
                        "-n",
                        Integer.toString(WIDTH),
                        "-t",
                        "20:00",
                        "-J",
                        NAME,
                        "--checkpoint-signal",
                        "USR1",
                        "--checkpoint-marker",
                        SavingJob.MARKER,
                        "--checkpoint-grace",
                        "0:" + GRACE_S,
                        "-d",
                        work.directory().toString(),
                        script.toString()));
        return NAME;
    }

    void letItWork(final Board board) {
        board.job(NAME).ifPresent(row -> key = row.job());
        board.until(
                "saver has worked for " + WORK.toSeconds() + " s",
                b -> b.started(NAME)
                        .map(start -> Instant.now().isAfter(start.plus(WORK)))
                        .orElse(false));
    }

    /** To be asked when somebody else has its cores. */
    Verdict wasSaved(final Views views, final List<String> figures) {
        final Optional<Views.Order> order = views.orders(key).stream()
                .filter(one -> one.action().equals("reclaim"))
                .findFirst();
        order.ifPresent(one -> figures.add("        why saver gave way: " + one.reason()));
        return new Verdict(
                "alpha: who can save its work, and has more of it than saving costs, is saved before its cores are taken",
                order.map(one -> one.result().equals("done")
                                && one.reason().contains("This job is checkpointed: loses at most"))
                        .orElse(false),
                order.map(Views.Order::reason).orElse("no reclaim is told of saver"));
    }

    /** It may give way once more, when bob's last job comes within his quota as his others end; then it goes on once more. */
    Verdict endsRight(final Board board) {
        final boolean over = board.until(
                "saver is over",
                b -> b.globalJob(id).map(Views.GlobalJob::isOver).orElse(false));
        return new Verdict(
                "alpha: the saved job goes on where it was, and ends with the result of an uninterrupted run",
                over
                        && work.result().equals(work.expected())
                        && work.segments().size() >= 2
                        && work.stepsDoneTwice() == 0,
                "result " + work.result() + " (expected " + work.expected() + "), segments " + work.segments() + ", "
                        + work.stepsDoneTwice() + " of " + work.steps() + " steps done twice");
    }
}
