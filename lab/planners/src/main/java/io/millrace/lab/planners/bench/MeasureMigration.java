package io.millrace.lab.planners.bench;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./millrace bench migration}: migration-service with a long queue of global jobs over many clusters. The clusters answer at once
 * without a broker, so the figures are those of the service's own work, in processor time.
 */
@Command(
        name = "migration",
        description = "Measures migration-service: placements per second, decision times and memory with a long queue.")
public final class MeasureMigration implements Callable<Integer> {

    private static final int BATCH = 1000;
    private static final long SEED = 14;

    @Option(names = "--jobs", description = "queued global jobs (default: ${DEFAULT-VALUE})")
    private int jobs = 1_000_000;

    @Option(names = "--clusters", description = "clusters (default: ${DEFAULT-VALUE})")
    private int clusters = 50;

    @Option(names = "--cores", description = "cores of each cluster (default: ${DEFAULT-VALUE})")
    private int cores = 10_000;

    @Option(names = "--run-time", description = "mean run time of a job, seconds (default: ${DEFAULT-VALUE})")
    private int runTime_s = 40;

    @Option(names = "--seconds", description = "simulated seconds of the measurement (default: ${DEFAULT-VALUE})")
    private int seconds = 60;

    private final PrintStream out;

    public MeasureMigration(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        final long empty = usedBytes();
        final SimulatedCentre centre = new SimulatedCentre(clusters, cores, runTime_s, new Random(SEED));
        int rounds = 0;
        while (centre.waiting() < jobs) {
            centre.submit(BATCH);
            if (++rounds % 50 == 0) {
                centre.second();
            }
        }
        report("accepting " + centre.waiting() + " jobs", centre);
        out.printf(Locale.ROOT, "%.0f bytes per job%n", (usedBytes() - empty) / (double) Math.max(1, centre.waiting()));
        for (int i = 0; i < runTime_s; i++) {
            centre.second();
        }
        centre.reset();
        for (int i = 0; i < seconds; i++) {
            centre.second();
            centre.submit((int) Math.min(BATCH, Math.max(0, jobs - centre.waiting())));
        }
        out.printf(
                Locale.ROOT,
                "%.0f placements per simulated second, %.2f s of processor time per simulated second%n",
                centre.placements() / (double) seconds,
                centre.serviceSeconds() / seconds);
        report(seconds + " simulated seconds, " + centre.waiting() + " jobs waiting", centre);
        return 0;
    }

    private void report(final String phase, final SimulatedCentre centre) {
        out.printf(
                Locale.ROOT,
                "%s: %d placements in %.1f s of processor time of the service, %.0f per second; decisions: p50 %.1f"
                        + " ms, p99 %.1f ms, longest %.1f ms%n",
                phase,
                centre.placements(),
                centre.serviceSeconds(),
                centre.placements() / centre.serviceSeconds(),
                centre.decisionMillis(500),
                centre.decisionMillis(990),
                centre.decisionMillis(1000));
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
