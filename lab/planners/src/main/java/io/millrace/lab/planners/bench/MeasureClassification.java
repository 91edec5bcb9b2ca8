package io.millrace.lab.planners.bench;

import io.millrace.classifier.domain.classification.StageStatistics;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;

/** {@code ./millrace bench classify}: classifications per second and bytes allocated for each (JMH). */
@Command(name = "classify", description = "Measures classification: jobs per second and bytes per job (JMH).")
public final class MeasureClassification implements Callable<Integer> {

    private final PrintStream out;

    public MeasureClassification(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws RunnerException {
        describe();
        new Runner(new OptionsBuilder()
                        .include(ClassifyBench.class.getName())
                        .addProfiler(GCProfiler.class)
                        .build())
                .run();
        return 0;
    }

    private void describe() {
        final ClassifyFixture scene = new ClassifyFixture();
        final StageStatistics statistics =
                new StageStatistics(scene.classifier().model());
        long candidates = 0;
        for (int n = 0; n < ClassifyFixture.JOBS; n++) {
            final var found = scene.classifier().classify(scene.job(n));
            candidates += found.candidates().size();
            statistics.add(found);
        }
        out.println(ClassifyFixture.CHARACTERISTICS + " characteristics, " + ClassifyFixture.CLASSES + " classes; "
                + ClassifyFixture.JOBS + " jobs with " + candidates + " candidates in total, "
                + statistics.unclassified() + " unclassified");
    }
}
