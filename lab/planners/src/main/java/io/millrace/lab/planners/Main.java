package io.millrace.lab.planners;

import io.millrace.lab.planners.bench.MeasureBackfill;
import io.millrace.lab.planners.bench.MeasureLivePlanning;
import io.millrace.lab.planners.bench.MeasureMigration;
import io.millrace.lab.planners.bench.MeasureQuota;
import io.millrace.lab.planners.bench.PlanBench;
import io.millrace.lab.planners.experiment.backfill.ExperimentCheckpoint;
import io.millrace.lab.planners.experiment.classification.ExperimentClasses;
import io.millrace.lab.planners.experiment.classification.ExperimentEstimates;
import io.millrace.lab.planners.experiment.migration.ExperimentMigration;
import io.millrace.lab.planners.experiment.quota.ExperimentProcessorHours;
import io.millrace.lab.planners.experiment.quota.ExperimentUpqpp;
import io.millrace.lab.planners.verification.CheckQuotaRules;
import io.millrace.lab.planners.verification.CompareTraces;
import io.millrace.model.EscapingStream;
import io.millrace.simulator.ProgramLine;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command lines {@code ./millrace bench}, as far as it measures planners, and {@code ./millrace experiment}. */
@Command(name = "millrace", description = "Measures the planners and runs experiments.")
public final class Main {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    private Main() {}

    /** Groups the experiments. */
    @Command(name = "experiment", description = "Runs an experiment and writes its page and charts.")
    private static final class Experiment {}

    public static void main(final String... args) {
        System.exit(run(new EscapingStream(System.out), new EscapingStream(System.err), args));
    }

    /** @return the exit code */
    public static int run(final PrintStream out, final PrintStream err, final String... args) {
        final CommandLine bench = new CommandLine(new PlanBench.Run())
                .addSubcommand(new CompareTraces(out, err))
                .addSubcommand(new MeasureBackfill(out))
                .addSubcommand(new MeasureLivePlanning(out))
                .addSubcommand(new MeasureQuota(out))
                .addSubcommand(new MeasureMigration(out))
                .addSubcommand(new CheckQuotaRules(out, err));
        final CommandLine experiment = new CommandLine(new Experiment())
                .addSubcommand(new ExperimentCheckpoint(out))
                .addSubcommand(new ExperimentEstimates(out))
                .addSubcommand(new ExperimentUpqpp(out))
                .addSubcommand(new ExperimentProcessorHours(out))
                .addSubcommand(new ExperimentClasses(out))
                .addSubcommand(new ExperimentMigration(out));
        final CommandLine line =
                new CommandLine(new Main()).addSubcommand(bench).addSubcommand(experiment);
        return ProgramLine.execute(line, out, err, args);
    }
}
