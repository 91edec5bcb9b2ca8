package io.millrace.lab.planners.bench;

import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.planner.BackfillPlanner;
import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.backfill.domain.planner.PassDecisions;
import io.millrace.backfill.domain.planner.Schedule;
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
    private LongQueue scene = new LongQueue(1, 1, false);
    private BackfillPlanner planner = scene.planner(BackfillPolicy.EASY);

    /** A full cluster in which no job can be backfilled, to measure the search alone. */
    @Setup(Level.Trial)
    public void fill() {
        onNodes = new LongQueue(queued, RUNNING, true).view();
        scene = new LongQueue(queued, RUNNING, false);
        planner = scene.planner(BackfillPolicy.EASY);
        planner.decide(LongQueue.NOW_S);
    }

    /** A pass from scratch with placement on nodes. */
    @Benchmark
    public Schedule passFromScratch() {
        return BackfillPlanner.planOnce(onNodes, BackfillPolicy.EASY, LongQueue.NOW_S);
    }

    /** One job arrives, the planner decides with its retained state, and the job leaves again. */
    @Benchmark
    public PassDecisions oneArrives() {
        final PlannedJob arrived = planner.queue(scene.another());
        final PassDecisions decisions = planner.decide(LongQueue.NOW_S);
        planner.withdraw(arrived);
        return decisions;
    }
}
