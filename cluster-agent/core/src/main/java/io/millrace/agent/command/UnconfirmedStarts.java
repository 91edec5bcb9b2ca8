package io.millrace.agent.command;

import io.millrace.agent.wlm.Observation;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.JobObserved;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Starts that were executed and that no observation shows yet. A scheduler may take a pass or two until the job runs, and more until many
 * tasks run. The record of an array keeps waiting after some of its tasks have started, so a start is confirmed by the tasks that no longer
 * wait.
 */
final class UnconfirmedStarts {

    /** This long after the last task has started, an observation counts as including the start, whatever it shows. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Map<CommandId, Start> starts = new HashMap<>();

    /**
     * @param tasks the waiting tasks before the start; null if the job is not an array
     * @param named the tasks that the command has started and that still wait; null if it did not name them
     */
    private record Start(
            JobKey job,
            @Nullable ArrayTasks tasks,
            @Nullable BitSet named,
            Instant deadline) {}

    /**
     * @param named the tasks that have started, as ranges; null if the command did not name them
     * @param before the job before its start; null if it is not known
     */
    void add(
            final CommandId command,
            final JobKey job,
            final @Nullable String named,
            final @Nullable JobObserved before,
            final Instant at) {
        starts.put(
                command,
                new Start(
                        job,
                        before == null ? null : before.detail().array(),
                        named == null ? null : ArrayIndices.set(named),
                        at.plus(TIMEOUT)));
    }

    boolean contains(final CommandId command) {
        return starts.containsKey(command);
    }

    /** Removes and returns the starts that this observation shows or that have passed their deadline. */
    List<CommandId> take(final Observation seen) {
        final Map<JobKey, JobObserved> waiting = seen.jobs().stream()
                .filter(job -> job.state().isWaiting())
                .collect(Collectors.toMap(JobObserved::job, Function.identity(), (one, same) -> one));
        starts.replaceAll(
                (command, start) -> start.named() == null ? start : stillWaiting(start, waiting.values(), seen.at()));
        final List<CommandId> taken = starts.entrySet().stream()
                .filter(start -> isShown(start.getValue(), waiting)
                        || start.getValue().deadline().isBefore(seen.at()))
                .map(Map.Entry::getKey)
                .toList();
        taken.forEach(starts::remove);
        return taken;
    }

    /** The named tasks that still wait, in the record of the array or on their own. The deadline moves with each task that has started. */
    private static Start stillWaiting(final Start start, final Collection<JobObserved> waiting, final Instant at) {
        final BitSet left = new BitSet();
        waiting.stream()
                .map(job -> job.detail().array())
                .filter(array ->
                        array != null && array.array().equals(start.job().id().local()) && array.isReadable())
                .forEach(array -> left.or(ArrayIndices.set(array.indices())));
        left.and(start.named());
        return new Start(
                start.job(), start.tasks(), left, left.equals(start.named()) ? start.deadline() : at.plus(TIMEOUT));
    }

    private static boolean isShown(final Start start, final Map<JobKey, JobObserved> waiting) {
        if (start.named() != null) {
            return start.named().isEmpty();
        }
        final JobObserved job = waiting.get(start.job());
        if (start.tasks() == null) {
            return job == null;
        }
        final ArrayTasks left = job == null ? null : job.detail().array();
        return (left == null || left.tasks() < start.tasks().tasks()) && !waitsAlone(start.tasks(), waiting);
    }

    /** Whether a task has left the array's record and has not started: Slurm shows it as a job of its own until its next pass. */
    private static boolean waitsAlone(final ArrayTasks before, final Map<JobKey, JobObserved> waiting) {
        return waiting.values().stream()
                .filter(job -> !job.job().id().local().equals(before.array()))
                .map(job -> job.detail().array())
                .anyMatch(task -> task != null
                        && task.array().equals(before.array())
                        && ArrayIndices.contains(before.indices(), task.indices()));
    }
}
