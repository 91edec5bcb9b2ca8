package io.millrace.agent.reclaim;

import io.millrace.agent.checkpoint.CheckpointExecutor;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Preempts the victims of a reclaim, each by its decided mode. Checkpoints run at the same time; a victim that is not saved within its grace
 * time is requeued without a checkpoint.
 */
public final class VictimPreemption {

    private static final String REQUEUED = "requeued";
    private static final String SUSPENDED = "suspended";

    private final WorkloadManager wlm;
    private final CheckpointExecutor checkpoint;

    public VictimPreemption(final WorkloadManager wlm, final CheckpointExecutor checkpoint) {
        this.wlm = wlm;
        this.checkpoint = checkpoint;
    }

    /**
     * The result for one victim.
     *
     * @param waitsAs the key under which it waits now
     * @param vacated whether it leaves its cores
     */
    record Preempted(Preemption preemption, JobKey waitsAs, boolean vacated, String detail) {}

    /** @param directed whether the entry hold keeps a requeued job from starting; else it is requeued held */
    List<Preempted> preempt(final Command command, final Action.Reclaim reclaim, final boolean directed)
            throws InterruptedException {
        final List<Preemption> all = reclaim.allPreemptions();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            final List<Future<Preempted>> checkpoints = all.stream()
                    .filter(one -> one.mode() == Preemption.Mode.CHECKPOINT)
                    .map(one -> executor.submit(() -> save(command, one, directed)))
                    .toList();
            final List<Preempted> left = new ArrayList<>();
            for (final Preemption one : all) {
                switch (one.mode()) {
                    case CHECKPOINT -> {}
                    case SUSPEND -> left.add(suspend(one));
                    case REQUEUE -> left.add(requeue(command, one, directed, ""));
                }
            }
            for (final Future<Preempted> one : checkpoints) {
                left.add(await(one, executor));
            }
            return left;
        }
    }

    private static Preempted await(final Future<Preempted> one, final ExecutorService executor)
            throws InterruptedException {
        try {
            return one.get();
        } catch (final InterruptedException e) {
            executor.shutdownNow();
            throw e;
        } catch (final ExecutionException e) {
            throw new IllegalStateException("the checkpoint of a victim failed", e.getCause());
        }
    }

    private Preempted save(final Command command, final Preemption one, final boolean directed)
            throws InterruptedException {
        final Result result = checkpoint.run(
                command,
                new Action.Checkpoint(
                        one.victim(),
                        Objects.requireNonNull(one.checkpointMethod(), "a preemption by checkpoint has a method")));
        return switch (result) {
            case Result.Done done ->
                new Preempted(one, done.job() == null ? one.victim() : done.job(), true, done.detail());
            case Result.Failed failed -> requeue(command, one, directed, failed.reason() + "; ");
            case Result.Refused refused -> requeue(command, one, directed, refused.reason() + "; ");
            case Result.Unclear unclear -> requeue(command, one, directed, unclear.reason() + "; ");
            case Result.Begun b -> throw new IllegalStateException("a finished checkpoint has an answer");
        };
    }

    private Preempted suspend(final Preemption one) {
        return switch (wlm.get(Suspending.class).suspend(one.victim())) {
            case Answer.Ok<Accepted> ok -> new Preempted(one, one.victim(), true, SUSPENDED);
            case Answer.Trouble<Accepted> trouble -> new Preempted(one, one.victim(), false, trouble.reason());
        };
    }

    private Preempted requeue(
            final Command command, final Preemption one, final boolean directed, final String before) {
        final Requeueing queue = wlm.get(Requeueing.class);
        final UserSentence why = UserSentence.of(command, "requeued");
        return switch (directed ? queue.requeue(one.victim(), why) : queue.requeueHeld(one.victim(), why)) {
            case Answer.Ok<Accepted> ok ->
                new Preempted(
                        one,
                        one.victim(),
                        true,
                        before.isEmpty() ? REQUEUED : before + "requeued without a checkpoint, its work is lost");
            case Answer.Trouble<Accepted> trouble -> new Preempted(one, one.victim(), false, before + trouble.reason());
        };
    }

    /** For example {@code 3 of 4 victims left their cores: 2 requeued, 1 suspended (…)}. */
    static String summary(final List<Preempted> left) {
        final long gone = left.stream().filter(Preempted::vacated).count();
        final String plain = List.of(REQUEUED, SUSPENDED).stream()
                .map(word -> new Count(
                        word,
                        left.stream().filter(one -> one.detail().equals(word)).count()))
                .filter(count -> count.number > 0)
                .map(count -> count.number + " " + count.word)
                .collect(Collectors.joining(", "));
        final String others = left.stream()
                .filter(one -> !one.detail().equals(REQUEUED) && !one.detail().equals(SUSPENDED))
                .map(one -> one.preemption().victim() + ": " + one.detail())
                .collect(Collectors.joining("; "));
        return gone + " of " + left.size() + " victims left their cores"
                + (plain.isEmpty() ? "" : ": " + plain)
                + (others.isEmpty() ? "" : " (" + others + ")");
    }

    private record Count(String word, long number) {}
}
