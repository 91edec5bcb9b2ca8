package io.millrace.lab.planners.bench;

import io.millrace.quota.domain.plan.QuotaPlan;
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

/** quota-service's planner on one cluster with 100,000 running jobs of 10,000 users; {@code ./millrace bench quota}. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class QuotaBench {

    static final int JOBS = 100_000;
    static final int USERS = 10_000;

    /** A long queue without jobs within quota. */
    @State(Scope.Benchmark)
    public static class LongQueue {
        private QuotaFixture scene = new QuotaFixture(1, 1, 1, 0, 0);

        @Setup(Level.Trial)
        public void fill() {
            scene = new QuotaFixture(JOBS, JOBS, USERS, 0, 0);
        }
    }

    /** One waiting job that needs a given number of victims; the cost of the reclaim is the difference to none. */
    @State(Scope.Benchmark)
    public static class OneReclaim {
        @Param({"0", "2000"})
        public int victims;

        private QuotaFixture scene = new QuotaFixture(1, 1, 1, 0, 0);

        @Setup(Level.Trial)
        public void fill() {
            scene = new QuotaFixture(0, JOBS, USERS, victims, 0);
        }
    }

    /** A thousand jobs of users within quota, each of which needs victims. */
    @State(Scope.Benchmark)
    public static class ManyReclaims {
        private QuotaFixture scene = new QuotaFixture(1, 1, 1, 0, 0);

        @Setup(Level.Trial)
        public void fill() {
            scene = new QuotaFixture(0, JOBS, USERS, 0, 1000);
        }
    }

    /** Entitlements of 200,000 jobs. */
    @Benchmark
    public QuotaPlan revision(final LongQueue queue) {
        return queue.scene.plan();
    }

    /** Entitlements of 100,000 jobs, and one reclaim. */
    @Benchmark
    public QuotaPlan oneReclaim(final OneReclaim reclaim) {
        return reclaim.scene.plan();
    }

    /** Entitlements of 101,000 jobs, and 1,000 reclaims. */
    @Benchmark
    public QuotaPlan thousandReclaims(final ManyReclaims reclaims) {
        return reclaims.scene.plan();
    }
}
