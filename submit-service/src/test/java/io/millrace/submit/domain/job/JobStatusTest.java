package io.millrace.submit.domain.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobStatus;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.TestData;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of docs/states.md. */
class JobStatusTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final JobKey LOCAL = new JobKey(new JobId(ClusterId.of("alpha"), "7"), NOON);
    private static final JobSubmitted JOB =
            TestData.submitted(GlobalJobId.of("01JNFQ6M5T8W3KZX9B2C4D7E1F"), "anna", "mesh");
    private static final GlobalJobState PLACED =
            new GlobalJobState.Submitted(JOB.job().attempt(1), LOCAL, true);
    private static final JobState RUNNING = new JobState.Running(NOON, List.of(NodeName.of("n1")));

    private static JobObserved local(final JobState state, final int restarts) {
        return TestData.local(LOCAL, "anna", state, JOB.job().attempt(1), restarts);
    }

    private static GlobalJob job(final GlobalJobState state, final boolean held) {
        final GlobalJob job = TestData.job(JOB, state, 3);
        return held
                ? new GlobalJob(
                        job.submission(),
                        state,
                        job.attempts(),
                        null,
                        NOON,
                        3,
                        new HoldRequested(JOB.job(), UserName.of("anna"), NOON, "input is incomplete"),
                        null)
                : job;
    }

    static Stream<Arguments> local_jobs() {
        return Stream.of(
                Arguments.of(JobStatus.QUEUED, new JobState.Queued(), 0),
                Arguments.of(JobStatus.QUEUED, new JobState.Held(HoldKind.SUBMISSION), 0),
                Arguments.of(JobStatus.QUEUED, new JobState.Held(HoldKind.ENTRY), 0),
                Arguments.of(JobStatus.PREEMPTED, new JobState.Queued(), 1),
                Arguments.of(JobStatus.PREEMPTED, new JobState.Held(HoldKind.ENTRY), 2),
                Arguments.of(JobStatus.HELD, new JobState.Held(HoldKind.USER), 0),
                Arguments.of(JobStatus.HELD, new JobState.Held(HoldKind.OPERATOR), 1),
                Arguments.of(JobStatus.RUNNING, RUNNING, 1),
                Arguments.of(JobStatus.SUSPENDED, new JobState.Suspended(NOON, List.of()), 0),
                Arguments.of(JobStatus.RUNNING, new JobState.Completing(), 0),
                Arguments.of(JobStatus.RUNNING, new JobState.Unsettled(NOON), 0),
                Arguments.of(JobStatus.RUNNING, new JobState.Unknown("TELEPORTING"), 0));
    }

    @ParameterizedTest
    @MethodSource("local_jobs")
    void a_placed_job_has_the_state_of_its_local_job(
            final JobStatus expected, final JobState state, final int restarts) {
        assertThat(JobStatus.of(local(state, restarts))).isEqualTo(expected);
        assertThat(JobStatus.of(job(PLACED, false), local(state, restarts))).isEqualTo(expected);
    }

    static Stream<Arguments> stages() {
        final TransferId transfer = TransferId.of(JOB.job().attempt(1) + ".in");
        return Stream.of(
                Arguments.of(JobStatus.WAITING, new GlobalJobState.Waiting("no idle cores"), true),
                Arguments.of(
                        JobStatus.UPLOADING,
                        new GlobalJobState.Uploading(JOB.job().attempt(1), transfer),
                        true),
                Arguments.of(
                        JobStatus.MAKING, new GlobalJobState.Making(JOB.job().attempt(1)), true),
                Arguments.of(JobStatus.QUEUED, PLACED, true),
                Arguments.of(
                        JobStatus.DOWNLOADING,
                        new GlobalJobState.Downloading(JOB.job().attempt(1), transfer, new RunOutcome.Exited(0)),
                        false),
                Arguments.of(JobStatus.ABORTED, new GlobalJobState.Aborted("no cluster"), false),
                Arguments.of(JobStatus.STOPPED, new GlobalJobState.Stopped(UserName.of("anna"), "wrong input"), false),
                Arguments.of(JobStatus.SUCCEEDED, new GlobalJobState.End(new RunOutcome.Exited(0)), false),
                Arguments.of(JobStatus.FAILED, new GlobalJobState.End(new RunOutcome.Exited(3)), false),
                Arguments.of(JobStatus.FAILED, new GlobalJobState.End(new RunOutcome.Signalled(11)), false),
                Arguments.of(JobStatus.TIMED_OUT, new GlobalJobState.End(new RunOutcome.TimedOut()), false),
                Arguments.of(JobStatus.OUT_OF_MEMORY, new GlobalJobState.End(new RunOutcome.OutOfMemory()), false),
                Arguments.of(JobStatus.NODE_FAILED, new GlobalJobState.End(new RunOutcome.NodeFailed()), false),
                Arguments.of(JobStatus.CANCELLED, new GlobalJobState.End(new RunOutcome.Cancelled()), false),
                Arguments.of(JobStatus.CANCELLED, new GlobalJobState.End(new RunOutcome.Preempted()), false));
    }

    @ParameterizedTest
    @MethodSource("stages")
    void other_stages_have_a_state_of_their_own_and_a_hold_shows_until_the_start(
            final JobStatus expected, final GlobalJobState stage, final boolean holds) {
        assertThat(JobStatus.of(job(stage, false), null)).isEqualTo(expected);
        assertThat(JobStatus.of(job(stage, true), null)).isEqualTo(holds ? JobStatus.HELD : expected);
        assertThat(expected.isFinal()).isEqualTo(stage.isFinal());
    }

    @Test
    void a_job_that_started_before_it_was_held_runs() {
        assertThat(JobStatus.of(job(PLACED, true), local(RUNNING, 0))).isEqualTo(JobStatus.RUNNING);
        assertThat(JobStatus.of(job(PLACED, true), local(new JobState.Queued(), 1)))
                .isEqualTo(JobStatus.HELD);
    }

    @Test
    void words_select_states_in_any_case_and_a_wrong_one_names_the_nearest() {
        assertThat(JobStatus.selectedBy(List.of("RUNNING", "Timed_Out")))
                .isEqualTo(Set.of(JobStatus.RUNNING, JobStatus.TIMED_OUT));
        assertThat(JobStatus.selectedBy(List.of("active", "FINAL"))).isEqualTo(Set.of(JobStatus.values()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobStatus.selectedBy(List.of("runing")))
                .withMessageStartingWith("'runing' is not a state; did you mean 'running'? Use one of waiting, held,")
                .withMessageEndingWith("stopped, active, final");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GlobalJobState.wordsOf(List.of("submited")))
                .withMessageStartingWith("'submited' is not a stage; did you mean 'Submitted'?");
    }

    @Test
    void an_event_shows_a_state_unless_the_cluster_reports_it() {
        assertThat(JobStatus.shownBy(job(new GlobalJobState.Waiting("accepted"), true)))
                .contains(JobStatus.HELD);
        assertThat(JobStatus.shownBy(job(PLACED, false))).isEmpty();
        assertThat(JobStatus.shownBy(local(RUNNING, 0))).contains(JobStatus.RUNNING);
        assertThat(JobStatus.shownBy(JOB)).isEmpty();
    }
}
