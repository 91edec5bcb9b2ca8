package io.millrace.simulator;

import io.millrace.simulator.bench.PlanBench;
import io.millrace.simulator.oracle.BenchTraces;
import java.util.Arrays;

/** The simulator's verbs: {@code simulate} a workload log, {@code bench} the planners. */
public final class Main {

    private Main() {}

    private static int bench(final String... args) {
        return args.length > 0 && args[0].equals("traces")
                ? new BenchTraces(System.out, System.err).run(Arrays.copyOfRange(args, 1, args.length))
                : PlanBench.run(args);
    }

    public static void main(final String... args) {
        final String verb = args.length == 0 ? "" : args[0];
        final String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        System.exit(
                switch (verb) {
                    case "simulate" -> new Simulate(System.out, System.err).run(rest);
                    case "bench" -> bench(rest);
                    default -> {
                        System.err.println("'" + verb + "' is not a verb of the simulator; there are: simulate, bench");
                        yield 2;
                    }
                });
    }
}
