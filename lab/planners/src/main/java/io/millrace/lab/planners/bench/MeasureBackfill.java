package io.millrace.lab.planners.bench;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.plan.BackfillPlanner;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.workload.Arrivals;
import io.millrace.simulator.workload.Range;
import io.millrace.simulator.workload.UniformJobs;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;

/**
 * {@code ./millrace bench backfill}: measures passes of the planner (JMH), the growth of their duration with the queue, and a synthetic log of a
 * large cluster.
 */
@Command(name = "backfill", description = "Measures the planner: passes (JMH), growth with the queue, a synthetic log.")
public final class MeasureBackfill implements Callable<Integer> {

    private static final int LARGE_CORES = 80_640;
    private static final int LARGE_JOBS = 295_000;

    private final PrintStream out;

    public MeasureBackfill(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws RunnerException {
        growth();
        largeCluster();
        new Runner(new OptionsBuilder().include(BackfillBench.class.getName()).build()).run();
        return 0;
    }

    /** Each queue is twice as long as the one before; a factor slightly above 2 means n log n. */
    private void growth() {
        out.printf(Locale.ROOT, "%-14s %9s %12s %8s%n", "from scratch", "queued", "ms", "factor");
        for (final BackfillPolicy policy : List.of(BackfillPolicy.EASY, BackfillPolicy.CONSERVATIVE_FCFS)) {
            double last = 0;
            for (int queued = 12_500; queued <= 200_000; queued *= 2) {
                final QueueSnapshot view = new LongQueue(queued, 10_000, false).view();
                double best = Double.MAX_VALUE;
                for (int i = 0; i < 5; i++) {
                    final long began = System.nanoTime();
                    BackfillPlanner.plan(view, policy, LongQueue.NOW_S);
                    best = Math.min(best, (System.nanoTime() - began) / 1e6);
                }
                out.printf(
                        Locale.ROOT,
                        "%-14s %9d %12.2f %8s%n",
                        policy == BackfillPolicy.EASY ? "easy" : "conservative",
                        queued,
                        best,
                        last == 0 ? "" : String.format(Locale.ROOT, "%.2f", best / last));
                last = best;
            }
        }
    }

    /** A generated workload with as many jobs and cores as the largest log of the archive. */
    private void largeCluster() {
        final List<SwfJob> jobs = new UniformJobs(
                        LARGE_JOBS,
                        500,
                        new Range(1, 2048),
                        new Range(60, 14_400),
                        new Arrivals.Poisson(95),
                        new Range(1, 5))
                .jobs(1);
        double best = Double.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            final long began = System.nanoTime();
            Simulation.run(jobs, LARGE_CORES, BackfillPolicy.EASY_FCFS, EventOrder.PYSS);
            best = Math.min(best, (System.nanoTime() - began) / 1e9);
        }
        out.printf(
                Locale.ROOT,
                "EASY, %d synthetic jobs on %d cores: %.0f jobs/s%n",
                LARGE_JOBS,
                LARGE_CORES,
                LARGE_JOBS / best);
    }
}
