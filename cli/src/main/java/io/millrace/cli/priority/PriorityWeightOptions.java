package io.millrace.cli.priority;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the weights: points at a factor of 100 %. A negative weight lowers the priority. */
final class PriorityWeightOptions {

    @Option(names = "--age", paramLabel = "POINTS", description = "weight of the waiting time")
    @Nullable
    Integer age;

    @Option(
            names = "--size",
            paramLabel = "POINTS",
            description = "weight of the size of the job relative to the cluster")
    @Nullable
    Integer size;

    @Option(names = "--use", paramLabel = "POINTS", description = "weight of low recent use by the owner")
    @Nullable
    Integer use;

    @Option(names = "--class", paramLabel = "POINTS", description = "weight of the class of the job")
    @Nullable
    Integer jobClass;

    @Option(names = "--urgency", paramLabel = "POINTS", description = "weight of the quality of service")
    @Nullable
    Integer urgency;

    @Option(names = "--project", paramLabel = "POINTS", description = "weight of the project")
    @Nullable
    Integer project;

    @Option(names = "--budget", paramLabel = "POINTS", description = "weight of the remaining budget")
    @Nullable
    Integer budget;

    /** Puts the weights that were given. */
    void putInto(final ObjectNode weights) {
        put(weights, "age", age);
        put(weights, "size", size);
        put(weights, "use", use);
        put(weights, "class", jobClass);
        put(weights, "urgency", urgency);
        put(weights, "project", project);
        put(weights, "budget", budget);
    }

    private static void put(final ObjectNode weights, final String term, final @Nullable Integer points) {
        if (points != null) {
            weights.put(term, points);
        }
    }
}
