package io.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Weights as options: points at a factor of 100 %; negative ones count against a job. */
final class PriorityWeightOptions {

    @Option(names = "--age", paramLabel = "POINTS", description = "for having waited")
    @Nullable
    Integer age;

    @Option(names = "--size", paramLabel = "POINTS", description = "for a large share of the cluster")
    @Nullable
    Integer size;

    @Option(names = "--use", paramLabel = "POINTS", description = "for having used little of late")
    @Nullable
    Integer use;

    @Option(names = "--class", paramLabel = "POINTS", description = "for the class of the job")
    @Nullable
    Integer jobClass;

    @Option(names = "--urgency", paramLabel = "POINTS", description = "for its quality of service")
    @Nullable
    Integer urgency;

    @Option(names = "--project", paramLabel = "POINTS", description = "for the project it is charged to")
    @Nullable
    Integer project;

    @Option(names = "--budget", paramLabel = "POINTS", description = "for what is left of its budget")
    @Nullable
    Integer budget;

    /** Puts those that were given. */
    void into(final ObjectNode weights) {
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
