package io.millrace.simulator.experiment;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./millrace experiment upqpp}: compares hard limits with quotas and preemption. */
@Command(name = "upqpp", description = "Compares hard limits with quotas and preemption (UPQPP).")
public final class ExperimentUpqpp implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "OUT", description = "folder for upqpp.md and its chart")
    private Path to = Path.of(".");

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SEEDS",
            description = "number of batches of jobs (default: 10)")
    private int seeds = 10;

    @Parameters(index = "2", arity = "0..1", paramLabel = "HOURS", description = "simulated hours (default: 1000)")
    private int hours = 1000;

    private static final int CORES = 3000;
    private static final int USERS = 30;

    private final PrintStream out;

    public ExperimentUpqpp(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        if (seeds < 2 || seeds > 1000 || hours < 24 || hours > 10_000) {
            throw new IllegalArgumentException(
                    "SEEDS must be from 2 to 1000 and HOURS from 24 to 10000, got " + seeds + " and " + hours);
        }
        write(new UpqppSetting(CORES, USERS, hours, seeds), to);
        return 0;
    }

    private void write(final UpqppSetting setting, final Path folder) throws IOException {
        final UpqppResults results = new UpqppResults();
        for (final UpqppSetting.Jobs jobs : UpqppSetting.jobs()) {
            final List<Map<String, QuotaMetrics>> runs = LongStream.rangeClosed(1, setting.seeds())
                    .parallel()
                    .mapToObj(seed -> setting.run(jobs, seed))
                    .toList();
            runs.forEach(byPolicy -> results.add(jobs.name(), byPolicy));
            out.println(jobs.name());
        }
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("upqpp.md"), new UpqppPage(setting, results).text());
        Files.writeString(folder.resolve("upqpp.svg"), IdleShareChart.of(results));
        out.println("wrote " + folder.resolve("upqpp.md"));
    }
}
