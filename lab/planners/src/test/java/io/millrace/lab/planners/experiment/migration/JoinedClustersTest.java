package io.millrace.lab.planners.experiment.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.model.ClusterId;
import io.millrace.model.job.TargetRule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JoinedClustersTest {

    private static final ClusterId A = ClusterId.of("a");
    private static final ClusterId B = ClusterId.of("b");

    private static JoinedClusters.Job job(final int submit_h, final int source, final int cores, final int hours) {
        return new JoinedClusters.Job(submit_h, source, cores, hours);
    }

    private static JoinedClusters.Result run(
            final TargetRule rule, final int transfer_h, final JoinedClusters.Job... jobs) {
        return new JoinedClusters(List.of(A, B), 10, rule, transfer_h).run(List.of(jobs), 10);
    }

    @Test
    void a_job_that_does_not_fit_at_home_runs_on_the_other_cluster_at_once() {
        final JoinedClusters.Result result = run(TargetRule.PERFORMANCE_ORDER, 0, job(0, 0, 10, 10), job(0, 0, 10, 5));
        assertThat(result.idle()).isCloseTo(0.25, within(1e-9));
        assertThat(result.wait_h()).isZero();
        assertThat(result.moved()).isEqualTo(0.5);
    }

    @Test
    void its_cores_are_idle_while_its_files_are_on_their_way() {
        final JoinedClusters.Result result =
                run(TargetRule.PERFORMANCE_ORDER, 2, job(0, 0, 10, 10), job(0, 0, 10, 10), job(1, 1, 10, 1));
        assertThat(result.idle()).as("8 of the second job's hours count").isCloseTo(0.1, within(1e-9));
        assertThat(result.wait_h()).isEqualTo(1);
    }

    @Test
    void with_data_locality_a_job_waits_at_home() {
        final JoinedClusters.Result result = run(TargetRule.DATA_LOCALITY, 0, job(0, 0, 10, 4), job(0, 0, 10, 6));
        assertThat(result.moved()).isZero();
        assertThat(result.wait_h()).isEqualTo(2);
    }

    @Test
    void a_job_waits_for_the_cluster_where_it_is_predicted_to_end_first() {
        final JoinedClusters.Result result = run(TargetRule.EARLIEST_END, 5, job(0, 0, 10, 3), job(1, 0, 10, 2));
        assertThat(result.moved())
                .as("two hours at home are shorter than the transfer")
                .isZero();
        assertThat(result.wait_h()).isEqualTo(1);
    }

    @Test
    void joined_clusters_leave_less_idle_and_data_locality_equals_isolation() {
        final Map<String, JoinedClusters.Result> results =
                ExperimentMigration.run(new ExperimentMigration.Kind(500, 20, false), 60, 7);
        final double isolated = results.get(ExperimentMigration.ISOLATED).idle();
        assertThat(results.get("performance order").idle()).isLessThan(isolated - 0.05);
        assertThat(results.get("data locality").idle()).isCloseTo(isolated, within(1e-9));
    }
}
