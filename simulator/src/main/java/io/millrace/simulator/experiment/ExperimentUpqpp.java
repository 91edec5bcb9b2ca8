package io.millrace.simulator.experiment;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** {@code ./millrace experiment upqpp OUT [SEEDS [HOURS]]}: hard limits against UPQPP. */
public final class ExperimentUpqpp {

    static final String USAGE = """
            usage: experiment upqpp OUT [SEEDS [HOURS]]
              OUT is the folder for upqpp.md and its chart; SEEDS batches of jobs (2 to 1000, else 10) over HOURS (24 to 10000, else 1000)
            """;
    private static final int CORES = 3000;
    private static final int USERS = 30;

    private final PrintStream out;
    private final PrintStream err;

    public ExperimentUpqpp(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public int run(final List<String> args) {
        final int seeds = args.size() > 1 ? number(args.get(1), 2, 1000) : 10;
        final int hours = args.size() > 2 ? number(args.get(2), 24, 10_000) : 1000;
        if (args.isEmpty() || args.size() > 3 || args.get(0).startsWith("--") || seeds < 0 || hours < 0) {
            err.print(USAGE);
            return 2;
        }
        try {
            write(new UpqppSetting(CORES, USERS, hours, seeds), Path.of(args.get(0)));
            return 0;
        } catch (final IOException e) {
            err.println("experiment: " + e);
            return 1;
        }
    }

    private static int number(final String text, final int least, final int most) {
        if (!text.matches("\\d{1,6}")) {
            return -1;
        }
        final int number = Integer.parseInt(text);
        return number < least || number > most ? -1 : number;
    }

    private void write(final UpqppSetting setting, final Path to) throws IOException {
        final UpqppResults results = new UpqppResults();
        for (final UpqppSetting.Jobs jobs : UpqppSetting.jobs()) {
            final List<Map<String, QuotaMetrics>> runs = LongStream.rangeClosed(1, setting.seeds())
                    .parallel()
                    .mapToObj(seed -> setting.run(jobs, seed))
                    .toList();
            runs.forEach(byPolicy -> results.add(jobs.name(), byPolicy));
            out.println(jobs.name());
        }
        Files.createDirectories(to);
        Files.writeString(to.resolve("upqpp.md"), new UpqppPage(setting, results).text());
        Files.writeString(to.resolve("upqpp.svg"), IdleShareChart.of(results));
        out.println("wrote " + to.resolve("upqpp.md"));
    }
}
