package io.millrace.classifier.domain.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.policy.RunTimeEstimate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which run times are learned from ended runs. */
class JobEstimatesTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
    private static final CheckpointTaken SAVED = new CheckpointTaken("application", "/ckpt", START, START);

    private final List<Long> learned = new ArrayList<>();
    private final List<String> classes = new ArrayList<>();
    private final JobEstimates estimates = new JobEstimates(new RunTimeEstimator() {
        @Override
        public void ended(final JobProfile job, final long run_s) {
            learned.add(run_s);
            classes.add(job.jobClass());
        }

        @Override
        public Optional<RunTimeEstimate> estimate(final JobProfile job) {
            return Optional.empty();
        }
    });

    private void ended(
            final String job,
            final long ran_s,
            final long lostCoreSeconds,
            final RunOutcome outcome,
            final boolean ran) {
        ended(job, ran_s, lostCoreSeconds, outcome, ran ? START : null);
    }

    private void ended(
            final String job,
            final long ran_s,
            final long lostCoreSeconds,
            final RunOutcome outcome,
            final @Nullable Instant started) {
        estimates.ended(
                new RunEnded(
                        JobKey.of("alpha/" + job + "@2026-03-01T11:00:00Z"),
                        "solver",
                        null,
                        UserName.of("anna"),
                        null,
                        PartitionName.of("main"),
                        Resources.cores(4),
                        Duration.ofHours(1),
                        1,
                        started,
                        START.plusSeconds(ran_s),
                        outcome,
                        lostCoreSeconds,
                        "test",
                        null),
                List.of("small", "any"));
    }

    @Test
    void a_run_is_learned_under_the_first_class_of_its_job() {
        ended("1", 100, 0, new RunOutcome.Exited(3), true);
        assertThat(learned).containsExactly(100L);
        assertThat(classes).containsExactly("small");
    }

    @Test
    void a_job_that_never_started_and_one_on_a_failed_node_are_not_learned() {
        ended("1", 0, 0, new RunOutcome.Cancelled(), false);
        ended("2", 100, 400, new RunOutcome.NodeFailed(), true);
        assertThat(learned).isEmpty();
    }

    @Test
    void a_job_that_was_checkpointed_counts_as_one_run_without_its_lost_work() {
        ended("1", 100, 4 * 10, new RunOutcome.Checkpointed(SAVED), true);
        ended("1", 50, 0, new RunOutcome.Exited(0), true);
        assertThat(learned).containsExactly(140L);
    }

    @Test
    void a_job_that_continues_under_another_key_counts_as_one_run() {
        ended("1", 100, 0, new RunOutcome.Continued(JobKey.of("alpha/2@2026-03-01T11:00:00Z"), SAVED), true);
        ended("2", 50, 0, new RunOutcome.Exited(0), true);
        assertThat(learned).containsExactly(150L);
    }

    @Test
    void a_requeued_run_loses_its_work_but_not_an_earlier_checkpoint() {
        ended("1", 100, 0, new RunOutcome.Checkpointed(SAVED), true);
        ended("1", 70, 0, new RunOutcome.Requeued(), true);
        ended("1", 50, 0, new RunOutcome.Exited(0), true);
        assertThat(learned).containsExactly(150L);
    }
}
