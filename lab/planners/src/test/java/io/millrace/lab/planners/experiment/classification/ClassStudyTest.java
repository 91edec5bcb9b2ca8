package io.millrace.lab.planners.experiment.classification;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.simulator.swf.SwfJob;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClassStudyTest {

    private static SwfJob job(final long id, final int cores, final int minutes) {
        return new SwfJob(id, id, minutes * 60L, cores, minutes * 60L, -1, -1);
    }

    private static Map<String, Integer> movable(final SwfJob... jobs) {
        return new ClassStudy(160).run(List.of(jobs)).movable();
    }

    @Test
    void the_stream_has_the_class_counts_of_the_paper() {
        final ClassStudy.Result result = new ClassStudy(160).run(PaperStream.jobs(1, 0.5));
        PaperStream.ROWS.forEach(row -> assertThat(result.jobs()).containsEntry(row.name(), row.jobs()));
        assertThat(result.unclassified()).isZero();
        PaperStream.ROWS.forEach(row -> assertThat(result.moved().get(row.name()))
                .isLessThanOrEqualTo(result.movable().get(row.name())));
    }

    @Test
    void a_job_may_move_only_if_it_stays_in_its_class() {
        // 2 minutes take 4 on the workstations and 6 on the other cluster.
        assertThat(movable(job(1, 1, 2))).containsEntry("univariant-sequential-small", 1);
        assertThat(movable(job(1, 1, 3))).containsEntry("univariant-sequential-small", 0);
        assertThat(movable(job(1, 2, 2))).containsEntry("univariant-parallel-small", 0);
        assertThat(movable(job(1, 2, 1))).containsEntry("univariant-parallel-small", 1);
    }

    @Test
    void a_large_job_moves_only_if_it_does_not_run_longer_than_a_day() {
        assertThat(movable(job(1, 1, 720))).containsEntry("univariant-sequential-large", 1);
        assertThat(movable(job(1, 1, 721))).containsEntry("univariant-sequential-large", 0);
    }

    @Test
    void a_job_wider_than_the_other_clusters_stays() {
        assertThat(movable(job(1, 33, 1))).containsEntry("univariant-parallel-small", 0);
    }

    @Test
    void jobs_move_if_they_end_earlier_elsewhere_and_shorten_the_wait() {
        final List<SwfJob> burst =
                IntStream.rangeClosed(1, 400).mapToObj(id -> job(id, 1, 30)).toList();
        final ClassStudy.Result result = new ClassStudy(10).run(burst);
        assertThat(result.moved().get("univariant-sequential-medium")).isPositive();
        assertThat(result.together().meanWait_s()).isLessThan(result.alone().meanWait_s());
        assertThat(result.together().utilisation()).isGreaterThan(result.alone().utilisation());
    }
}
