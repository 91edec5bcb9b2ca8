package io.millrace.simulator;

import io.millrace.backfill.domain.planner.CheckpointPreemptionPolicy.VictimOrder;
import io.millrace.model.EscapingStream;
import io.millrace.simulator.bench.MeasureBackfill;
import io.millrace.simulator.bench.MeasureClassification;
import io.millrace.simulator.bench.MeasureLivePlanning;
import io.millrace.simulator.bench.MeasureMigration;
import io.millrace.simulator.bench.MeasureQuota;
import io.millrace.simulator.bench.PlanBench;
import io.millrace.simulator.classify.Classify;
import io.millrace.simulator.experiment.backfill.ExperimentCheckpoint;
import io.millrace.simulator.experiment.classification.ExperimentClasses;
import io.millrace.simulator.experiment.classification.ExperimentEstimates;
import io.millrace.simulator.experiment.migration.ExperimentMigration;
import io.millrace.simulator.experiment.quota.ExperimentProcessorHours;
import io.millrace.simulator.experiment.quota.ExperimentUpqpp;
import io.millrace.simulator.verification.CheckQuotaRules;
import io.millrace.simulator.verification.CompareTraces;
import io.millrace.simulator.workload.Arrivals;
import io.millrace.simulator.workload.Range;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/**
 * The simulator's command line: simulate a workload, classify jobs, measure the planners, run experiments. Exit codes: 0 success, 1 a file cannot be read
 * or written or a check failed, 2 the command line is wrong.
 */
@Command(name = "millrace", description = "Simulates workloads, classifies jobs and measures the planners.")
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
                .addSubcommand(new MeasureClassification(out))
                .addSubcommand(new MeasureMigration(out))
                .addSubcommand(new CheckQuotaRules(out, err));
        final CommandLine experiment = new CommandLine(new Experiment())
                .addSubcommand(new ExperimentCheckpoint(out))
                .addSubcommand(new ExperimentEstimates(out))
                .addSubcommand(new ExperimentUpqpp(out))
                .addSubcommand(new ExperimentProcessorHours(out))
                .addSubcommand(new ExperimentClasses(out))
                .addSubcommand(new ExperimentMigration(out));
        return new CommandLine(new Main())
                .addSubcommand(new Simulate(out, err))
                .addSubcommand(new Classify(out, err))
                .addSubcommand(bench)
                .addSubcommand(experiment)
                .registerConverter(Boolean.class, Main::yesOrNo)
                .registerConverter(boolean.class, Main::yesOrNo)
                .registerConverter(VictimOrder.class, text -> VictimOrder.valueOf(constant(text)))
                .registerConverter(Range.class, reported(Range::parse))
                .registerConverter(Arrivals.class, reported(Arrivals::parse))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(120)
                .setUsageHelpLongOptionsMaxWidth(32)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(Main::wrongUsage)
                .setExecutionExceptionHandler(Main::failed)
                .execute(args);
    }

    private static int wrongUsage(final ParameterException e, final String... args) {
        final CommandLine command = e.getCommandLine();
        command.getErr().println(command.getCommandName() + ": " + e.getMessage());
        command.usage(command.getErr());
        return CommandLine.ExitCode.USAGE;
    }

    private static int failed(final Exception e, final CommandLine command, final CommandLine.ParseResult parsed) {
        final String message = e instanceof NoSuchFileException
                ? "file or folder '" + e.getMessage() + "' not found"
                : String.valueOf(e.getMessage());
        command.getErr().println(command.getCommandName() + ": " + message);
        return e instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    private static Boolean yesOrNo(final String text) {
        return switch (text) {
            case "yes", "true" -> true;
            case "no", "false" -> false;
            default -> throw new TypeConversionException("must be yes or no, got '" + text + "'");
        };
    }

    private static String constant(final String text) {
        return text.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private static <T> ITypeConverter<T> reported(final Function<String, T> parser) {
        return text -> {
            try {
                return parser.apply(text);
            } catch (final IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        };
    }
}
