package io.millrace.simulator.bench;

import io.millrace.quota.domain.QuotaPlan;
import java.io.PrintStream;
import java.util.Locale;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** {@code ./millrace bench quota}: passes of the planner (JMH), and bytes per job. */
public final class MeasureQuota {

    private final PrintStream out;
    private final PrintStream err;

    public MeasureQuota(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public int run(final String... args) {
        if (args.length > 0) {
            err.println("usage: bench quota");
            return 2;
        }
        bytes();
        try {
            new Runner(new OptionsBuilder().include(QuotaBench.class.getName()).build()).run();
            return 0;
        } catch (final RunnerException e) {
            err.println("bench: " + e.getMessage());
            return 1;
        }
    }

    private void bytes() {
        final int jobs = 2 * QuotaBench.JOBS;
        final long empty = usedBytes();
        final QuotaFixture scene = new QuotaFixture(QuotaBench.JOBS, QuotaBench.JOBS, QuotaBench.USERS, 0, 0);
        final long seen = usedBytes();
        final QuotaPlan plan = scene.plan();
        final long planned = usedBytes();
        out.printf(
                Locale.ROOT,
                "%d jobs: %.0f bytes a job for the view, %.0f for what was said of it (%d entitlements)%n",
                jobs,
                (seen - empty) / (double) jobs,
                (planned - seen) / (double) jobs,
                plan.entitlements().size());
    }

    private static long usedBytes() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
