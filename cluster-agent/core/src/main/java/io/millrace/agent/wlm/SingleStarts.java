package io.millrace.agent.wlm;

import io.millrace.agent.exec.ParallelWork;
import io.millrace.model.array.ArrayIndices;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;

/**
 * Starts tasks of an array by a command for each, for a workload manager whose start command names the hosts of a task. One command of
 * Millrace starts a limited number of tasks, because the commands behind it wait; the answer names the others, which a later command starts.
 */
public final class SingleStarts {

    /** A task takes up to half a second. */
    private static final int AT_ONCE = 50;

    private SingleStarts() {}

    /**
     * @param requested the tasks of the command
     * @param waiting those that wait, at least one
     * @param together how many tasks may be started at the same time
     * @param start starts the task with an index
     */
    public static Answer<StartedTasks> of(
            final String requested,
            final String waiting,
            final int together,
            final IntFunction<Answer<Accepted>> start) {
        final List<Integer> tasks =
                ArrayIndices.read(waiting).limit(AT_ONCE).boxed().toList();
        final Queue<Integer> next = new ConcurrentLinkedQueue<>(tasks);
        final Queue<Integer> started = new ConcurrentLinkedQueue<>();
        final Queue<Answer.Trouble<Accepted>> troubles = new ConcurrentLinkedQueue<>();
        ParallelWork.run(
                () -> {
                    for (Integer task = next.poll(); task != null && troubles.isEmpty(); task = next.poll()) {
                        switch (start.apply(task)) {
                            case Answer.Ok<Accepted> ok -> started.add(task);
                            case Answer.Trouble<Accepted> trouble -> troubles.add(trouble);
                        }
                    }
                },
                Math.min(together, tasks.size()));
        return troubles.isEmpty()
                ? Answer.ok(all(requested, waiting, tasks))
                : StartedTasks.after(
                        worst(troubles),
                        waiting,
                        () -> Answer.ok(ArrayIndices.without(waiting, ArrayIndices.write(started))));
    }

    /** If it is unknown whether one of the tasks has started, that is the answer. */
    private static Answer.Trouble<Accepted> worst(final Collection<Answer.Trouble<Accepted>> troubles) {
        return troubles.stream()
                .filter(trouble -> !trouble.kind().isDefinite())
                .findFirst()
                .orElseGet(() -> troubles.iterator().next());
    }

    private static StartedTasks all(final String requested, final String waiting, final List<Integer> tasks) {
        final String started = ArrayIndices.write(tasks);
        return started.equals(waiting)
                ? StartedTasks.of(waiting, requested)
                : StartedTasks.some(
                        started,
                        ArrayIndices.without(requested, started),
                        "one command starts at most " + AT_ONCE + " tasks");
    }
}
