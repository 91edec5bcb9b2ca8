package io.millrace.simulator;

import io.millrace.simulator.bench.MeasureBackfill;
import io.millrace.simulator.bench.MeasureLivePlanning;
import io.millrace.simulator.bench.MeasureQuota;
import io.millrace.simulator.bench.PlanBench;
import io.millrace.simulator.experiment.ExperimentCheckpoint;
import io.millrace.simulator.experiment.ExperimentProcessorHours;
import io.millrace.simulator.experiment.ExperimentUpqpp;
import io.millrace.simulator.verification.CheckQuotaRules;
import io.millrace.simulator.verification.CompareTraces;
import java.util.Arrays;
import java.util.List;

/** The simulator's verbs: {@code simulate} a workload, {@code bench} the planners, {@code experiment} with many policies. */
public final class Main {

    private Main() {}

    public static void main(final String... args) {
        final String verb = args.length == 0 ? "" : args[0];
        final String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        System.exit(
                switch (verb) {
                    case "simulate" -> new Simulate(System.out, System.err).run(rest);
                    case "bench" -> bench(rest);
                    case "experiment" -> experiment(rest);
                    default -> {
                        System.err.println("'" + verb
                                + "' is not a verb of the simulator; there are: simulate, bench, experiment");
                        yield 2;
                    }
                });
    }

    private static int bench(final String... args) {
        final String what = args.length == 0 ? "" : args[0];
        return switch (what) {
            case "traces" -> new CompareTraces(System.out, System.err).run(Arrays.copyOfRange(args, 1, args.length));
            case "backfill" ->
                new MeasureBackfill(System.out, System.err).run(Arrays.copyOfRange(args, 1, args.length));
            case "live" ->
                new MeasureLivePlanning(System.out, System.err).run(Arrays.copyOfRange(args, 1, args.length));
            case "quota" -> new MeasureQuota(System.out, System.err).run(Arrays.copyOfRange(args, 1, args.length));
            case "quota-rules" ->
                new CheckQuotaRules(System.out, System.err).run(Arrays.copyOfRange(args, 1, args.length));
            default -> PlanBench.run(args);
        };
    }

    private static int experiment(final String... args) {
        final String what = args.length == 0 ? "" : args[0];
        return switch (what) {
            case "checkpoint" ->
                new ExperimentCheckpoint(System.out, System.err)
                        .run(List.of(args).subList(1, args.length));
            case "upqpp" ->
                new ExperimentUpqpp(System.out, System.err).run(List.of(args).subList(1, args.length));
            case "processor-hours" ->
                new ExperimentProcessorHours(System.out, System.err)
                        .run(List.of(args).subList(1, args.length));
            default -> {
                System.err.println(
                        "'" + what + "' is not an experiment; there are: checkpoint, upqpp, processor-hours");
                yield 2;
            }
        };
    }
}
