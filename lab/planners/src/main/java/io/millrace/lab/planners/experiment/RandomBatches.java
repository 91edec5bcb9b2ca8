package io.millrace.lab.planners.experiment;

import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** Parameters of an experiment with random jobs: the folder of the results, the number of batches, and their length. */
public final class RandomBatches {

    @Parameters(index = "0", paramLabel = "OUT", description = "folder for the page and its charts")
    private Path to = Path.of(".");

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SEEDS",
            description = "number of batches of jobs (default: 10)")
    private int seeds = 10;

    @Parameters(index = "2", arity = "0..1", paramLabel = "HOURS", description = "simulated hours (default: 1000)")
    private int hours = 1000;

    /** @throws IllegalArgumentException if a number is out of range */
    public void validate() {
        if (seeds < 2 || seeds > 1000 || hours < 24 || hours > 10_000) {
            throw new IllegalArgumentException(
                    "SEEDS must be from 2 to 1000 and HOURS from 24 to 10000, got " + seeds + " and " + hours);
        }
    }

    public Path out() {
        return to;
    }

    public int seeds() {
        return seeds;
    }

    public int hours() {
        return hours;
    }
}
