package io.millrace.lab.campaigns.proof;

import io.millrace.story.QueueMonitor;
import io.millrace.story.RestQueries;
import io.millrace.story.Site;
import io.millrace.story.SiteUser;
import io.millrace.story.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A job of alice that supports checkpoints. When it is preempted, its unsaved work is worth more than a checkpoint costs. */
final class CheckpointedVictim {

    private static final String NAME = "saver";
    private static final int WIDTH = 4;
    private static final int STEPS = 120;
    private static final int GRACE_S = 10;

    /** Time it runs before it is preempted: longer than its grace time and the cost of a restart. */
    private static final Duration WORK = Duration.ofSeconds(20);

    private final CheckpointingJob work;
    private String id = "";
    private String key = "";

    CheckpointedVictim(final SiteUser alice) {
        this.work = new CheckpointingJob(alice.home().resolve(NAME), STEPS);
    }

    String submit(final Site.Cluster cluster, final SiteUser alice) {
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
                        CheckpointingJob.MARKER,
                        "--checkpoint-grace",
                        "0:" + GRACE_S,
                        "-D",
                        work.directory().toString(),
                        script.toString()));
        return NAME;
    }

    void awaitWork(final QueueMonitor queues) {
        queues.job(NAME).ifPresent(row -> key = row.job());
        queues.until(
                "saver has worked for " + WORK.toSeconds() + " s",
                b -> b.started(NAME)
                        .map(start -> Instant.now().isAfter(start.plus(WORK)))
                        .orElse(false));
    }

    /** The verdict on its checkpoint, once another job has its cores. */
    Verdict wasSaved(final RestQueries queries, final List<String> figures) {
        final Optional<RestQueries.Order> order = queries.orders(key).stream()
                .filter(one -> one.action().equals("reclaim"))
                .findFirst();
        order.ifPresent(one -> figures.add("        reason of the preemption of saver: " + one.reason()));
        return new Verdict(
                "alpha: a job whose unsaved work is worth more than a checkpoint is checkpointed before it is"
                        + " preempted",
                order.map(one -> one.result().equals("done") && one.reason().contains("checkpointed: loses at most"))
                        .orElse(false),
                order.map(RestQueries.Order::reason).orElse("no reclaim command for saver"));
    }

    /** The verdict on its result. It may be preempted a second time, when bob's last job comes within his quota as his other jobs end. */
    Verdict endsCorrectly(final QueueMonitor queues) {
        final boolean over = queues.until(
                "saver has ended",
                b -> b.globalJob(id).map(RestQueries.GlobalJob::isOver).orElse(false));
        return new Verdict(
                "alpha: the checkpointed job continues from its checkpoint and ends with the result of an"
                        + " uninterrupted run",
                over
                        && work.result().equals(work.expected())
                        && work.segments().size() >= 2
                        && work.stepsDoneTwice() == 0,
                "result " + work.result() + " (expected " + work.expected() + "), segments " + work.segments() + ", "
                        + work.stepsDoneTwice() + " of " + work.steps() + " steps ran twice");
    }
}
