package io.millrace.simulator.bench;

import io.millrace.backfill.domain.forecast.JobForecast;
import io.millrace.backfill.domain.planner.Schedule;
import io.millrace.quota.domain.QuotaPlan;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** One planning pass at 10,000 queued and 1,000 running jobs; {@code ./millrace bench [part of a benchmark's name]}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlanBench {

    private final QueueFixture queue = new QueueFixture(10_000, 1_000);
    private final QuotaFixture quota = new QuotaFixture(10_000, 1_000, 200, 0, 0);
    private final QuotaFixture reclaim = new QuotaFixture(1_000, 5_000, 200, 2_000, 0);

    /** Which of 10,000 waiting jobs start beside 1,000 running ones. */
    @Benchmark
    public Schedule backfillPlan() {
        return queue.plan();
    }

    /** What each of 10,000 waiting jobs is told. */
    @Benchmark
    public List<JobForecast> backfillOutlook() {
        return queue.outlook();
    }

    /** The rights of 11,000 jobs of 200 users. */
    @Benchmark
    public QuotaPlan quotaPlan() {
        return quota.plan();
    }

    /** About 2,000 victims of 200 users for one job, out of 5,000 that run. */
    @Benchmark
    public QuotaPlan quotaReclaim() {
        return reclaim.plan();
    }

    public static void main(final String... args) {
        System.exit(run(args));
    }

    /** @param names parts of benchmarks' names; none: all */
    public static int run(final String... names) {
        final OptionsBuilder options = new OptionsBuilder();
        for (final String name : names) {
            options.include(PlanBench.class.getName() + "\\..*" + name);
        }
        if (names.length == 0) {
            options.include(PlanBench.class.getName());
        }
        try {
            new Runner(options.build()).run();
            return 0;
        } catch (final RunnerException e) {
            System.err.println("bench: " + e.getMessage());
            return 1;
        }
    }
}
