package io.millrace.lab.planners.bench;

import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.plan.JobForecast;
import io.millrace.quota.domain.plan.QuotaPlan;
import java.util.List;
import java.util.concurrent.Callable;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** One planning pass with 10,000 queued and 1,000 running jobs; {@code ./millrace bench}. */
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

    /** Decides which of 10,000 waiting jobs start beside 1,000 running ones. */
    @Benchmark
    public Schedule backfillPlan() {
        return queue.plan();
    }

    /** Forecasts for 10,000 waiting jobs. */
    @Benchmark
    public List<JobForecast> backfillForecasts() {
        return queue.forecasts();
    }

    /** Entitlements of 11,000 jobs of 200 users. */
    @Benchmark
    public QuotaPlan quotaPlan() {
        return quota.plan();
    }

    /** About 2,000 victims of 200 users for one job, among 5,000 running jobs. */
    @Benchmark
    public QuotaPlan quotaReclaim() {
        return reclaim.plan();
    }

    /** {@code ./millrace bench}: runs these benchmarks. */
    @Command(name = "bench", description = "Measures planning passes with 10,000 queued and 1,000 running jobs (JMH).")
    public static final class Run implements Callable<Integer> {
        @Parameters(
                arity = "0..*",
                paramLabel = "NAME",
                description = "parts of benchmark names (default: all benchmarks)")
        private List<String> names = List.of();

        @Override
        public Integer call() throws RunnerException {
            final OptionsBuilder options = new OptionsBuilder();
            names.forEach(name -> options.include(PlanBench.class.getName() + "\\..*" + name));
            if (names.isEmpty()) {
                options.include(PlanBench.class.getName());
            }
            new Runner(options.build()).run();
            return 0;
        }
    }
}
