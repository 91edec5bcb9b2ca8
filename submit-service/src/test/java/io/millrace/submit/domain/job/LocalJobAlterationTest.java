package io.millrace.submit.domain.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Precondition;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.TestData;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.submission.JobAlteration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The local job has a walltime of one hour. */
class LocalJobAlterationTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final JobKey LOCAL = TestData.key(TestData.BETA, 7);
    private static final Duration LESS = Duration.ofMinutes(30);
    private static final Duration MORE = Duration.ofHours(2);
    private static final JobState RUNNING = new JobState.Running(NOON.minusSeconds(600), List.of());

    private final JobSubmitted submission =
            TestData.submitted(GlobalJobId.of("01JNFQ6M5T8W3KZX9B2C4D7E1F"), "anna", "mesh");
    private final GlobalJob job = TestData.placed(
            submission, new GlobalJobState.Submitted(submission.job().attempt(1), LOCAL, true), LOCAL, 2);

    private LocalJobAlteration changed(final JobState state, final Duration walltime, final boolean operator) {
        return changed(state, new JobAlteration(null, walltime, null, null, null, null), operator);
    }

    private LocalJobAlteration changed(final JobState state, final JobAlteration change, final boolean operator) {
        return LocalJobAlteration.of(job, TestData.local(LOCAL, "anna", state, null), change, operator, NOON);
    }

    @Test
    void the_owner_lowers_it_at_any_time_and_raises_it_only_as_long_as_the_job_waits() {
        final JobState waiting = new JobState.Queued();
        assertThat(changed(waiting, LESS, false).preconditions()).isEmpty();
        assertThat(changed(waiting, MORE, false).preconditions()).containsExactly(new Precondition.JobWaits(LOCAL));
        assertThat(changed(RUNNING, LESS, false).preconditions()).containsExactly(new Precondition.JobRuns(LOCAL));
        assertThatThrownBy(() -> changed(RUNNING, MORE, false))
                .isInstanceOfSatisfying(
                        RequestRefused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(RequestRefused.Kind.FORBIDDEN))
                .hasMessageContaining("only operators can raise it now");
    }

    @Test
    void operators_raise_it_at_any_time() {
        assertThat(changed(new JobState.Queued(), MORE, true).preconditions()).isEmpty();
        assertThat(changed(RUNNING, MORE, true).action()).isEqualTo(new Action.AlterWalltime(LOCAL, MORE));
    }

    @Test
    void a_running_job_is_not_ended_by_a_new_walltime() {
        assertThatThrownBy(() -> changed(RUNNING, Duration.ofMinutes(10), true))
                .hasMessageContaining("is running on beta for 10 min already, so this walltime would end it");
    }

    @Test
    void name_and_cores_are_changed_together_while_the_job_waits() {
        final LocalJobAlteration change =
                changed(new JobState.Queued(), new JobAlteration("other", null, 2, null, null, null), false);
        assertThat(change.action()).isEqualTo(new Action.AlterPending(LOCAL, "other", 2));
        assertThat(change.altered().resources().cores()).isEqualTo(2);
        assertThat(change.altered().name()).isEqualTo("other");
        assertThat(change.preconditions()).containsExactly(new Precondition.JobWaits(LOCAL));

        assertThatThrownBy(() -> changed(RUNNING, new JobAlteration("other", null, null, null, null, null), true))
                .hasMessageContaining(
                        "is running on beta; partition, name and cores can be changed only while it waits");
    }

    @Test
    void the_partition_is_changed_alone_while_the_job_waits() {
        final PartitionName fast = PartitionName.of("fast");
        final JobAlteration move = new JobAlteration(null, null, null, fast, null, null);
        final LocalJobAlteration change = changed(new JobState.Queued(), move, false);
        assertThat(change.action()).isEqualTo(new Action.SetPartitions(LOCAL, List.of(fast)));
        assertThat(change.altered().partition()).isEqualTo(fast);
        assertThat(change.preconditions()).containsExactly(new Precondition.JobWaits(LOCAL));

        assertThatThrownBy(() -> changed(RUNNING, move, true))
                .hasMessageContaining("can be changed only while it waits");
        assertThatThrownBy(() ->
                        changed(new JobState.Queued(), new JobAlteration("other", null, null, fast, null, null), false))
                .hasMessageContaining("change the partition of a placed job separately");
    }

    @Test
    void nothing_else_of_a_placed_job_can_be_changed() {
        assertThatThrownBy(() ->
                        changed(new JobState.Queued(), new JobAlteration("other", null, null, null, 3, null), false))
                .hasMessageContaining(
                        "walltime, partition, name and cores can be changed. Stop it and submit it again");
        assertThatThrownBy(() ->
                        changed(new JobState.Queued(), new JobAlteration("other", LESS, null, null, null, null), false))
                .hasMessageContaining("change the walltime of a placed job separately");
        assertThatThrownBy(() -> changed(new JobState.Completing(), LESS, false))
                .hasMessageContaining("is completing on beta; only a waiting or running job can be changed");
    }
}
