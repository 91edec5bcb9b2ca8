package io.millrace.simulator.bench;

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

    /** Jobs that wait. */
    @Param({"25000", "50000", "100000", "200000"})
    public int queued;

    private QueueSnapshot onNodes = QueueSnapshot.ofCores(0, List.of(), List.of());
    private LongQueue scene = new LongQueue(1, 1, false);
    private BackfillPlanner books = scene.planner(BackfillPolicy.EASY);

    /** A full cluster whose queue nobody can pass: what is measured is the looking, again and again. */
    @Setup(Level.Trial)
    public void fill() {
        onNodes = new LongQueue(queued, RUNNING, true).view();
        scene = new LongQueue(queued, RUNNING, false);
        books = scene.planner(BackfillPolicy.EASY);
        books.decide(LongQueue.NOW_S);
    }

    /** A pass over a view made from scratch, each start placed on nodes. */
    @Benchmark
    public Schedule passFromScratch() {
        return BackfillPlanner.planOnce(onNodes, BackfillPolicy.EASY, LongQueue.NOW_S);
    }

    /** One job arrives, and the planner decides on its own books; the job leaves again. */
    @Benchmark
    public PassDecisions oneArrives() {
        final PlannedJob arrived = books.queue(scene.another());
        final PassDecisions decisions = books.decide(LongQueue.NOW_S);
        books.withdraw(arrived);
        return decisions;
    }
}
