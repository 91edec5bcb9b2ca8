package io.millrace.simulator;

import io.millrace.simulator.workload.Arrivals;
import io.millrace.simulator.workload.LublinFeitelson;
import io.millrace.simulator.workload.Range;
import io.millrace.simulator.workload.UniformJobs;
import io.millrace.simulator.workload.Workload;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of generated workloads. */
final class WorkloadOptions {

    /** The names of {@code --generate}. */
    private enum Model {
        LUBLIN,
        UNIFORM
    }

    @Option(
            names = "--generate",
            required = true,
            paramLabel = "MODEL",
            description = "generate a workload: lublin (Lublin and Feitelson 2003) or uniform; needs --cores")
    private Model model = Model.LUBLIN;

    @Option(names = "--count", paramLabel = "N", description = "number of jobs (default: 1000)")
    private int count = 1000;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "number of users, chosen at random per job (default: 10)")
    private int users = 10;

    @Option(
            names = "--overestimate",
            paramLabel = "A..B",
            description = "requested time = run time x a factor in this range (default: 1..1)")
    private Range overestimate = new Range(1, 1);

    @Option(names = "--width", paramLabel = "A..B", description = "uniform: cores of a job (default: 1..cores)")
    private @Nullable Range width;

    @Option(names = "--length", paramLabel = "A..B", description = "uniform: run time in seconds (default: 60..3600)")
    private Range length_s = new Range(60, 3600);

    @Option(
            names = "--arrivals",
            paramLabel = "MODEL",
            description =
                    "uniform: poisson:MEAN (seconds between jobs), every:SECONDS, within:SECONDS (at random within a"
                            + " period), or together (default: poisson:60)")
    private Arrivals arrivals = new Arrivals.Poisson(60);

    /** @throws IllegalArgumentException if a value is out of range */
    Workload workload(final int cores) {
        if (count < 1 || users < 1) {
            throw new IllegalArgumentException(
                    "--count and --users must be at least 1, got " + count + " and " + users);
        }
        return switch (model) {
            case LUBLIN -> new LublinFeitelson(cores, count, users, overestimate);
            case UNIFORM ->
                new UniformJobs(
                        count, users, width == null ? new Range(1, cores) : width, length_s, arrivals, overestimate);
        };
    }
}
