package io.millrace.lab.planners.bench;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.plan.BackfillPlanner;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** backfill-service's planner with 10,000 running jobs on 10,000 nodes and queues of several lengths. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BackfillBench {

    private static final int RUNNING = 10_000;

    /** The number of waiting jobs. */
    @Param({"25000", "50000", "100000", "200000"})
    public int queued;

    private QueueSnapshot onNodes = QueueSnapshot.ofCores(0, List.of(), List.of());
    /** A full cluster in which no job can be backfilled, to measure the search alone. */
    @Setup(Level.Trial)
    public void fill() {
        onNodes = new LongQueue(queued, RUNNING, true).view();
    }

    /** A pass from scratch with placement on nodes. */
    @Benchmark
    public Schedule passFromScratch() {
        return BackfillPlanner.plan(onNodes, BackfillPolicy.EASY, LongQueue.NOW_S);
    }
}
