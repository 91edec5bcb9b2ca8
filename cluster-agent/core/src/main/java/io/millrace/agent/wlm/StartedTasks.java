package io.millrace.agent.wlm;

/**
 * The tasks of an array that the workload manager accepted to start; the next observations show them.
 *
 * @param indices as ranges
 * @param detail one sentence for people; says which of the requested tasks were not started and why
 */
public record StartedTasks(String indices, String detail) {

    /** All requested tasks. */
    public static StartedTasks all(final String indices, final String detail) {
        return new StartedTasks(indices, detail);
    }

    /** @param reason why the others were not started */
    public static StartedTasks some(final String started, final String others, final String reason) {
        return new StartedTasks(started, "started tasks " + started + "; not tasks " + others + ": " + reason);
    }
}
