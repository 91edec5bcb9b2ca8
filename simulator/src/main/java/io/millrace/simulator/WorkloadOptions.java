package io.millrace.simulator;

import io.millrace.simulator.workload.Arrivals;
import io.millrace.simulator.workload.LublinFeitelson;
import io.millrace.simulator.workload.Range;
import io.millrace.simulator.workload.UniformJobs;
import io.millrace.simulator.workload.Workload;
import java.util.Set;

/** Generated workloads on the command line. */
final class WorkloadOptions {

    static final String USAGE = """
            with --generate lublin (Lublin and Feitelson 2003) or uniform:
              --count            how many jobs (1000)
              --users            how many users they belong to, by turns of chance (10)
              --overestimate     A..B: requested time = run time x a factor within (1..1)
              --width            uniform: cores of a job, A..B (1..cores)
              --length           uniform: run time in seconds, A..B (60..3600)
              --arrivals         uniform: poisson:MEAN seconds between jobs, every:SECONDS, within:SECONDS (all within so long, by
                                 chance), or together (poisson:60)
            """;

    static final Set<String> KNOWN =
            Set.of("--generate", "--count", "--users", "--overestimate", "--width", "--length", "--arrivals");

    /** The names of {@code --generate}. */
    private enum Model {
        LUBLIN,
        UNIFORM
    }

    private WorkloadOptions() {}

    static Workload workload(final Arguments given, final int cores) {
        final Model model = given.oneOf("--generate", Model.class).orElse(Model.LUBLIN);
        final int count = given.count("--count").orElse(1000);
        final int users = given.count("--users").orElse(10);
        final Range overestimate = given.read("--overestimate", text -> Range.parse("--overestimate", text))
                .orElse(new Range(1, 1));
        return switch (model) {
            case LUBLIN -> new LublinFeitelson(cores, count, users, overestimate);
            case UNIFORM ->
                new UniformJobs(
                        count,
                        users,
                        given.read("--width", text -> Range.parse("--width", text))
                                .orElse(new Range(1, cores)),
                        given.read("--length", text -> Range.parse("--length", text))
                                .orElse(new Range(60, 3600)),
                        given.read("--arrivals", Arrivals::parse).orElse(new Arrivals.Poisson(60)),
                        overestimate);
        };
    }
}
