package io.millrace.agent.command;

import io.millrace.agent.checkpoint.CheckpointExecutor;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
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
 * Takes victims off their cores, each in the way it was decided. Who has to be saved first is saved at the same time as the others; who is
 * not saved within its grace time is put back all the same, for the cores are somebody else's.
 */
public final class VictimPreemption {

    private final WorkloadManager wlm;
    private final CheckpointExecutor checkpoint;

    public VictimPreemption(final WorkloadManager wlm, final CheckpointExecutor checkpoint) {
        this.wlm = wlm;
        this.checkpoint = checkpoint;
    }

    /**
     * What became of a victim.
     *
     * @param waitsAs the key under which it waits now
     * @param vacated whether it leaves its cores
     */
    record Preempted(Preemption preemption, JobKey waitsAs, boolean vacated, String detail) {}

    /** @param directed whether a job that is put back stays at Millrace's gate by itself; else it is held */
    List<Preempted> preempt(final Command command, final Action.Reclaim reclaim, final boolean directed)
            throws InterruptedException {
        final List<Preemption> all = reclaim.allPreemptions();
        try (ExecutorService savers = Executors.newVirtualThreadPerTaskExecutor()) {
            final List<Future<Preempted>> saving = all.stream()
                    .filter(one -> one.mode() == Preemption.Mode.CHECKPOINT)
                    .map(one -> savers.submit(() -> save(command, one, directed)))
                    .toList();
            final List<Preempted> left = new ArrayList<>();
            for (final Preemption one : all) {
                switch (one.mode()) {
                    case CHECKPOINT -> {}
                    case SUSPEND -> left.add(suspend(one));
                    case REQUEUE -> left.add(requeue(one, directed, ""));
                }
            }
            for (final Future<Preempted> one : saving) {
                left.add(await(one, savers));
            }
            return left;
        }
    }

    private static Preempted await(final Future<Preempted> one, final ExecutorService savers) throws InterruptedException {
        try {
            return one.get();
        } catch (final InterruptedException e) {
            savers.shutdownNow();
            throw e;
        } catch (final ExecutionException e) {
            throw new IllegalStateException("a victim could not be saved", e.getCause());
        }
    }

    private Preempted save(final Command command, final Preemption one, final boolean directed) throws InterruptedException {
        final Result result = checkpoint.run(
                command, new Action.Checkpoint(one.victim(), Objects.requireNonNull(one.checkpointMethod(), "a checkpoint has one")));
        return switch (result) {
            case Result.Done done -> new Preempted(one, done.job() == null ? one.victim() : done.job(), true, done.detail());
            case Result.Failed failed -> requeue(one, directed, failed.reason() + "; ");
            case Result.Refused refused -> requeue(one, directed, refused.reason() + "; ");
            case Result.Unclear unclear -> requeue(one, directed, unclear.reason() + "; ");
            case Result.Begun b -> throw new IllegalStateException("a checkpoint that is over has an answer");
        };
    }

    private Preempted suspend(final Preemption one) {
        return switch (((Suspending) wlm).suspend(one.victim())) {
            case Answer.Ok<Accepted> ok -> new Preempted(one, one.victim(), true, "suspended");
            case Answer.Trouble<Accepted> trouble -> new Preempted(one, one.victim(), false, trouble.because());
        };
    }

    private Preempted requeue(final Preemption one, final boolean directed, final String before) {
        final Requeueing queue = (Requeueing) wlm;
        return switch (directed ? queue.requeue(one.victim()) : queue.requeueHeld(one.victim())) {
            case Answer.Ok<Accepted> ok ->
                new Preempted(
                        one,
                        one.victim(),
                        true,
                        before.isEmpty() ? "put back" : before + "put back without it, its work is lost");
            case Answer.Trouble<Accepted> trouble -> new Preempted(one, one.victim(), false, before + trouble.because());
        };
    }

    /** {@code 3 of 4 victims left their cores: 2 put back, 1 suspended (…)}. */
    static String summary(final List<Preempted> left) {
        final long gone = left.stream().filter(Preempted::vacated).count();
        final String plain = List.of("put back", "suspended").stream()
                .map(word -> new Count(
                        word,
                        left.stream().filter(one -> one.detail().equals(word)).count()))
                .filter(count -> count.number > 0)
                .map(count -> count.number + " " + count.word)
                .collect(Collectors.joining(", "));
        final String told = left.stream()
                .filter(one -> !one.detail().equals("put back") && !one.detail().equals("suspended"))
                .map(one -> one.preemption().victim() + ": " + one.detail())
                .collect(Collectors.joining("; "));
        return gone + " of " + left.size() + " victims left their cores"
                + (plain.isEmpty() ? "" : ": " + plain)
                + (told.isEmpty() ? "" : " (" + told + ")");
    }

    private record Count(String word, long number) {}
}
