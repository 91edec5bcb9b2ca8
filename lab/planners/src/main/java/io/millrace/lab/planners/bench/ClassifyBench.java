package io.millrace.lab.planners.bench;

import io.millrace.classifier.domain.classification.Classification;
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

/**
 * Classification of jobs by 30 characteristics and 50 classes on one core; {@code ./millrace bench classify}. With the collector that the
 * services use.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class ClassifyBench {

    private final ClassifyFixture scene = new ClassifyFixture();
    private int next;

    /** From the domains of a job to its classes, with all four stages and no history. */
    @Benchmark
    public Classification classify() {
        return scene.classifier().classify(scene.job(next++));
    }

    /** The same with a history of 100,000 executed jobs. */
    @Benchmark
    public Classification classifyWithHistory() {
        return scene.classifier().classify(scene.job(next++), scene.history());
    }

    /** The same without history, including the check of the domains that a job requires. */
    @Benchmark
    public Classification checkAndClassify() {
        return scene.classifier().classify(scene.classifier().given(scene.request(next++)));
    }
}
