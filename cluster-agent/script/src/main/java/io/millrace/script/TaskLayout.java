package io.millrace.script;

import java.util.List;

/**
 * How the job's cores stand in tasks and on nodes. The cores in all are the job's own ({@code JobSpec.resources}); this says how the
 * script wants them split.
 *
 * @param tasks processes in all, at least 1
 * @param coresPerTask at least 1
 * @param nodes 0: any
 * @param tasksPerNode 0: any
 * @param features properties that every node must have, words of the script's system
 * @param exclusive whether nobody else may use the nodes
 */
public record TaskLayout(
        int tasks, int coresPerTask, int nodes, int tasksPerNode, List<String> features, boolean exclusive) {

    public TaskLayout {
        features = List.copyOf(features);
    }

    /** One core a task, wherever there is room. */
    static TaskLayout even(final int cores, final int nodes) {
        return new TaskLayout(cores, 1, nodes, 0, List.of(), false);
    }
}
