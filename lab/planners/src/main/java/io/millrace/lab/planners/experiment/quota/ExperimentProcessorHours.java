package io.millrace.lab.planners.experiment.quota;

import io.millrace.simulator.GanttSvg;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./millrace experiment processor-hours}: two users, with and without a processor-hour limit. */
@Command(name = "processor-hours", description = "Runs jobs of two users with and without a processor-hour limit.")
public final class ExperimentProcessorHours implements Callable<Integer> {

    @Parameters(paramLabel = "OUT", description = "folder for processor-hours.md and its two charts")
    private Path to = Path.of(".");

    private final PrintStream out;

    public ExperimentProcessorHours(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        final TwoUserTrial.Run free = TwoUserTrial.run(false);
        final TwoUserTrial.Run limited = TwoUserTrial.run(true);
        Files.createDirectories(to);
        Files.writeString(to.resolve("processor-hours.md"), new ProcessorHoursPage(free, limited).text());
        draw(free, to.resolve("processor-hours-free.svg"));
        draw(limited, to.resolve("processor-hours-limited.svg"));
        out.println("wrote " + to.resolve("processor-hours.md"));
        return 0;
    }

    private static void draw(final TwoUserTrial.Run run, final Path file) throws IOException {
        try (Writer to = Files.newBufferedWriter(file)) {
            GanttSvg.write(run.jobs(), run.jobs().size(), TwoUserTrial.NODES, TwoUserTrial.ByUser.PALETTE, to);
        }
    }
}
