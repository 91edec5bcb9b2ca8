package io.millrace.agent.history;

import io.millrace.model.EscapingStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./millrace history}: works on files, without a running stack. */
@Command(
        name = "history",
        description = "Collects the history of ended jobs.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
public final class Main {

    private Main() {}

    public static void main(final String... args) {
        System.exit(run(new EscapingStream(System.out), new EscapingStream(System.err), args));
    }

    /** @return the exit code */
    static int run(final PrintStream out, final PrintStream err, final String... args) {
        return new CommandLine(new Main())
                .addSubcommand(new ImportHistory(out, err))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .execute(args);
    }
}
