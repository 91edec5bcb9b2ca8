package io.millrace.simulator;

import io.millrace.model.EscapingStream;
import io.millrace.simulator.classify.Classify;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The simulator's command line: simulate a workload, classify jobs. Exit codes: 0 success, 1 a file cannot be read or written, 2 the
 * command line is wrong.
 */
@Command(name = "millrace", description = "Simulates workloads and classifies jobs.")
public final class Main {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    private Main() {}

    public static void main(final String... args) {
        System.exit(run(new EscapingStream(System.out), new EscapingStream(System.err), args));
    }

    /** @return the exit code */
    public static int run(final PrintStream out, final PrintStream err, final String... args) {
        final CommandLine line = new CommandLine(new Main())
                .addSubcommand(new Simulate(out, err))
                .addSubcommand(new Classify(out, err));
        return ProgramLine.execute(line, out, err, args);
    }
}
