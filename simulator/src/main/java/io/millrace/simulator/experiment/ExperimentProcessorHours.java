package io.millrace.simulator.experiment;

import io.millrace.simulator.GanttSvg;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code ./millrace experiment processor-hours OUT}: two users, without and with the limit. */
public final class ExperimentProcessorHours {

    static final String USAGE = """
            usage: experiment processor-hours OUT
              OUT is the folder for processor-hours.md and its two pictures
            """;

    private final PrintStream out;
    private final PrintStream err;

    public ExperimentProcessorHours(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public int run(final List<String> args) {
        if (args.size() != 1 || args.get(0).startsWith("--")) {
            err.print(USAGE);
            return 2;
        }
        final Path to = Path.of(args.get(0));
        try {
            final TwoUserTrial.Run free = TwoUserTrial.run(false);
            final TwoUserTrial.Run limited = TwoUserTrial.run(true);
            Files.createDirectories(to);
            Files.writeString(to.resolve("processor-hours.md"), new ProcessorHoursPage(free, limited).text());
            draw(free, to.resolve("processor-hours-free.svg"));
            draw(limited, to.resolve("processor-hours-limited.svg"));
            out.println("wrote " + to.resolve("processor-hours.md"));
            return 0;
        } catch (final IOException e) {
            err.println("experiment: " + e);
            return 1;
        }
    }

    private static void draw(final TwoUserTrial.Run run, final Path file) throws IOException {
        try (Writer to = Files.newBufferedWriter(file)) {
            GanttSvg.write(run.jobs(), run.jobs().size(), TwoUserTrial.NODES, TwoUserTrial.ByUser.PALETTE, to);
        }
    }
}
