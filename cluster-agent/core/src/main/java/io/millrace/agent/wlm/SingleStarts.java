package io.millrace.agent.wlm;

import io.millrace.model.array.ArrayIndices;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Starts tasks of an array one after the other, for a workload manager whose start command names the hosts of a task. One command starts a
 * limited number of tasks, because the commands behind it wait; the answer names the others, which a later command starts.
 */
public final class SingleStarts {

    /** A task takes up to half a second. */
    private static final int AT_ONCE = 50;

    private SingleStarts() {}

    /**
     * @param requested the tasks of the command
     * @param waiting those that wait, at least one
     * @param start starts the task with an index
     */
    public static Answer<StartedTasks> of(
            final String requested, final String waiting, final IntFunction<Answer<Accepted>> start) {
        final List<Integer> tasks =
                ArrayIndices.read(waiting).limit(AT_ONCE).boxed().toList();
        for (int i = 0; i < tasks.size(); i++) {
            if (start.apply(tasks.get(i)) instanceof Answer.Trouble<Accepted> trouble) {
                final String left = ArrayIndices.without(waiting, ArrayIndices.write(tasks.subList(0, i)));
                return StartedTasks.after(trouble, waiting, () -> Answer.ok(left));
            }
        }
        final String started = ArrayIndices.write(tasks);
        return Answer.ok(
                started.equals(waiting)
                        ? StartedTasks.of(waiting, requested)
                        : StartedTasks.some(
                                started,
                                ArrayIndices.without(requested, started),
                                "one command starts at most " + AT_ONCE + " tasks"));
    }
}
