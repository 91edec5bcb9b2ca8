package io.millrace.lab.planners.bench;

import io.millrace.quota.domain.plan.QuotaPlan;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;

/** {@code ./millrace bench quota}: measures passes of quota-service's planner (JMH), and bytes per job. */
@Command(name = "quota", description = "Measures quota-service's planner: passes (JMH) and memory per job.")
public final class MeasureQuota implements Callable<Integer> {

    private final PrintStream out;

    public MeasureQuota(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws RunnerException {
        bytes();
        new Runner(new OptionsBuilder().include(QuotaBench.class.getName()).build()).run();
        return 0;
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
                "%d jobs: %.0f bytes per job for the view, %.0f for the plan (%d entitlements)%n",
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
