package io.millrace.lab.planners.experiment.classification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.classifier.domain.estimate.LastTwoRuns;
import io.millrace.classifier.domain.estimate.SimilarRuns;
import io.millrace.lab.planners.Main;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.swf.SwfReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code experiment estimates}. */
class ExperimentEstimatesTest {

    @TempDir
    private Path folder;

    private static SwfJob job(final long id, final long submit_s, final long run_s) {
        return new SwfJob(id, submit_s, run_s, 1, 1000, 7, -1);
    }

    private static List<SimulatedJob> easy(final List<SwfJob> jobs) {
        return Simulation.run(jobs, 4, BackfillPolicy.EASY_FCFS, EventOrder.PASS_PER_INSTANT);
    }

    @Test
    void a_job_is_estimated_only_from_jobs_that_ended_before_its_submission() {
        // The third job is submitted while the second one runs, the fourth one after it.
        final List<SwfJob> jobs = List.of(job(1, 0, 100), job(2, 200, 300), job(3, 300, 100), job(4, 900, 200));
        final EstimateAccuracy accuracy = EstimateAccuracy.of(jobs, easy(jobs), new LastTwoRuns());
        // Estimates: 1000 (requested), 100, 100, and (300 + 100) / 2.
        assertThat(accuracy.accuracy()).isEqualTo((0.1 + 1 / 3.0 + 1 + 1) / 4, within(1e-12));
        assertThat(accuracy.underestimated()).isEqualTo(0.25);
        assertThat(accuracy.meanUnder_s()).isEqualTo(200 / 4.0);
        assertThat(accuracy.meanOver_s()).isEqualTo(900 / 4.0);
        assertThat(accuracy.inTime()).isEqualTo(2 / 3.0);
    }

    @Test
    void the_accuracy_is_counted_for_each_class_user_and_program() {
        final List<SwfJob> jobs =
                List.of(job(1, 0, 100), job(2, 200, 300), job(3, 900, 200), new SwfJob(4, 2000, 60, 2, 300, 8, 5));
        final TraceAccuracy accuracy = new TraceAccuracy();
        accuracy.add("recent", jobs, easy(jobs), new LastTwoRuns());
        // Estimates: 1000 (requested), 100, 200; 300 (requested).
        final EstimateAccuracy first =
                accuracy.by("recent", TraceAccuracy.Kind.USER).get("user7");
        assertThat(first.jobs()).isEqualTo(3);
        assertThat(first.accuracy()).isEqualTo((0.1 + 1 / 3.0 + 1) / 3, within(1e-12));
        assertThat(first.meanUnder_s()).isEqualTo(200 / 3.0);
        assertThat(accuracy.by("recent", TraceAccuracy.Kind.USER).get("user8").meanOver_s())
                .isEqualTo(240);
        assertThat(accuracy.by("recent", TraceAccuracy.Kind.CLASS))
                .containsOnlyKeys("sequential-medium", "parallel-small");
        assertThat(accuracy.by("recent", TraceAccuracy.Kind.PROGRAM)).containsOnlyKeys("not known", "program5");
        assertThat(accuracy.all("recent").jobs()).isEqualTo(4);
    }

    @Test
    void on_a_real_log_fewer_jobs_are_underestimated_than_by_the_baseline_with_less_underestimation()
            throws IOException {
        final List<SwfJob> jobs =
                SwfReader.read(Path.of("traces", "traces", "HPC2N3k.swf.gz")).jobs();
        final List<SimulatedJob> schedule =
                Simulation.run(jobs, 240, BackfillPolicy.EASY_FCFS, EventOrder.PASS_PER_INSTANT);
        final EstimateAccuracy base = EstimateAccuracy.of(jobs, schedule, new LastTwoRuns());
        final EstimateAccuracy ours = EstimateAccuracy.of(jobs, schedule, new SimilarRuns(0.65));
        assertThat(ours.underestimated()).isLessThan(base.underestimated());
        assertThat(ours.meanUnder_s()).isLessThan(base.meanUnder_s());
    }

    @Test
    void the_page_compares_with_the_baseline() throws IOException {
        final PrintStream quiet = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        assertThat(Main.run(quiet, quiet, "experiment", "estimates", "traces", folder.toString(), "HPC2N3k"))
                .isZero();
        assertThat(Files.readString(folder.resolve("estimates.md")))
                .contains("3145 jobs.")
                .contains("| requested walltime | ")
                .contains("| baseline: last two similar jobs | ")
                .contains("| quantile 0.65 | ")
                .contains("| quantile 0.95 | ")
                .contains("| parallel-large | ")
                .contains("| user | jobs | ");
    }
}
