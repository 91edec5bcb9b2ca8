package io.millrace.simulator;

import io.millrace.backfill.domain.CheckpointPreemptionPolicy.VictimOrder;
import io.millrace.simulator.workload.Arrivals;
import io.millrace.simulator.workload.Range;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Runs a command line: how the options of workloads and policies are read, and how errors are reported. */
public final class ProgramLine {

    private ProgramLine() {}

    /** @return the exit code: 1 if a file cannot be read or written or a check failed, 2 if the command line is wrong */
    public static int execute(
            final CommandLine line, final PrintStream out, final PrintStream err, final String... args) {
        return line.registerConverter(Boolean.class, ProgramLine::yesOrNo)
                .registerConverter(boolean.class, ProgramLine::yesOrNo)
                .registerConverter(VictimOrder.class, text -> VictimOrder.valueOf(constant(text)))
                .registerConverter(Range.class, reported(Range::parse))
                .registerConverter(Arrivals.class, reported(Arrivals::parse))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(120)
                .setUsageHelpLongOptionsMaxWidth(32)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(ProgramLine::wrongUsage)
                .setExecutionExceptionHandler(ProgramLine::failed)
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
