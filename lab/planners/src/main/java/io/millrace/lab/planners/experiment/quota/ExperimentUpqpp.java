package io.millrace.lab.planners.experiment.quota;

import io.millrace.lab.planners.experiment.RandomBatches;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./millrace experiment upqpp}: compares hard limits with quotas and preemption. */
@Command(name = "upqpp", description = "Compares hard limits with quotas and preemption (UPQPP).")
public final class ExperimentUpqpp implements Callable<Integer> {

    @Mixin
    private final RandomBatches batches = new RandomBatches();

    private static final int CORES = 3000;
    private static final int USERS = 30;

    private final PrintStream out;

    public ExperimentUpqpp(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        batches.validate();
        write(new UpqppSetting(CORES, USERS, batches.hours(), batches.seeds()), batches.out());
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
        Files.writeString(folder.resolve("upqpp.svg"), UpqppPage.chart(results));
        out.println("wrote " + folder.resolve("upqpp.md"));
    }
}
