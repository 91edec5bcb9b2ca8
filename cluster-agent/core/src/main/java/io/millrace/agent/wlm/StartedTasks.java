package io.millrace.agent.wlm;

import io.millrace.model.array.ArrayIndices;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The tasks of an array that the workload manager accepted to start; the next observations show them.
 *
 * @param indices as ranges
 * @param detail one sentence for people; says which of the requested tasks were not started and why
 */
public record StartedTasks(String indices, String detail) {

    /**
     * Starts waiting tasks by commands for some of them each, up to the first failure.
     *
     * @param tasks those that wait, of the requested ones
     * @param atOnce maximum number of tasks of a command
     * @param start runs the command for these tasks
     * @param waiting queries the tasks that still wait
     */
    public static Answer<StartedTasks> inChunks(
            final String tasks,
            final String requested,
            final int atOnce,
            final Function<String, Answer<Accepted>> start,
            final Supplier<Answer<String>> waiting) {
        for (final String some : ArrayIndices.chunks(tasks, atOnce)) {
            if (start.apply(some) instanceof Answer.Trouble<Accepted> trouble) {
                return after(trouble, tasks, waiting);
            }
        }
        return Answer.ok(of(tasks, requested));
    }

    /**
     * Those of these tasks that no longer wait after commands of which one failed; that trouble if all of them wait.
     *
     * @param tasks those that waited before
     * @param waiting queries the tasks that wait now; may be empty. If that fails, too, it is unknown which tasks have started
     */
    public static Answer<StartedTasks> after(
            final Answer.Trouble<Accepted> trouble, final String tasks, final Supplier<Answer<String>> waiting) {
        if (!trouble.kind().isDefinite()) {
            return trouble.of();
        }
        return switch (waiting.get()) {
            case Answer.Ok<String> ok -> after(trouble, tasks, ok.value());
            case Answer.Trouble<String> unknown ->
                Answer.trouble(Answer.Kind.TIMEOUT, trouble.reason() + "; " + unknown.reason());
        };
    }

    private static Answer<StartedTasks> after(
            final Answer.Trouble<Accepted> trouble, final String tasks, final String waiting) {
        final String left = ArrayIndices.both(tasks, waiting);
        final String started = ArrayIndices.without(tasks, left);
        if (started.isEmpty()) {
            return trouble.of();
        }
        return Answer.ok(
                left.isEmpty()
                        ? all(started, "started tasks " + started + ": " + trouble.reason())
                        : some(started, left, trouble.reason()));
    }

    /** The waiting tasks of a start, which were started; others of it no longer wait. */
    public static StartedTasks of(final String waiting, final String requested) {
        return waiting.equals(requested)
                ? all(waiting, "started tasks " + waiting)
                : some(waiting, ArrayIndices.without(requested, waiting), "they do not wait");
    }

    private static StartedTasks all(final String indices, final String detail) {
        return new StartedTasks(indices, detail);
    }

    static StartedTasks some(final String started, final String others, final String reason) {
        return new StartedTasks(started, "started tasks " + started + "; not tasks " + others + ": " + reason);
    }
}
