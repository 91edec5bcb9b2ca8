package io.millrace.script;

import java.util.List;

/**
 * How the cores of the job are divided into tasks and nodes, as the script requests it. The total is {@code JobSpec.resources}.
 *
 * @param tasks total processes, at least 1
 * @param coresPerTask at least 1
 * @param nodes 0 for any
 * @param tasksPerNode 0 for any
 * @param features properties required of every node, in the syntax of the script
 * @param exclusive whether other jobs must not use the nodes
 */
public record TaskLayout(
        int tasks, int coresPerTask, int nodes, int tasksPerNode, List<String> features, boolean exclusive) {

    public TaskLayout {
        features = List.copyOf(features);
    }

    /** One core per task, on any nodes. */
    public static TaskLayout even(final int cores, final int nodes) {
        return new TaskLayout(cores, 1, nodes, 0, List.of(), false);
    }
}
