package io.millrace.submit.domain.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Issuer;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Plan;
import io.millrace.submit.TestData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobProgressTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final JobKey LOCAL = new JobKey(new JobId(ClusterId.of("alpha"), "7"), NOON.minusSeconds(60));

    private final JobSubmitted submission =
            TestData.submitted(GlobalJobId.of("01JNFQ6M5T8W3KZX9B2C4D7E1F"), "anna", "mesh");
    private final GlobalJobState submitted =
            new GlobalJobState.Submitted(submission.job().attempt(1), LOCAL, true);

    private GlobalJob job(final GlobalJobState state) {
        return TestData.job(submission, state, 3);
    }

    private RunEnded run(final Instant start, final Duration length, final RunOutcome outcome) {
        return TestData.ended(LOCAL, "anna", null, start.plus(length), outcome);
    }

    private static Plan plan(final Issuer issuer, final Instant start) {
        return new Plan(LOCAL, issuer, start, 1, "planned", List.of());
    }

    @Test
    void a_running_job_started_when_its_local_job_did() {
        final JobProgress progress = JobProgress.of(
                job(submitted),
                TestData.local(LOCAL, "anna", new JobState.Running(NOON, List.of()), null),
                List.of(run(NOON.minusSeconds(3600), Duration.ofMinutes(10), new RunOutcome.Requeued())),
                List.of(plan(Issuer.BACKFILL, NOON.plusSeconds(60))));

        assertThat(progress).isEqualTo(new JobProgress(NOON, null, 1, null, null, null));
    }

    @Test
    void a_job_that_waits_again_has_no_start_but_a_prediction() {
        final JobProgress progress = JobProgress.of(
                job(submitted),
                TestData.local(LOCAL, "anna", new JobState.Queued(), null),
                List.of(run(NOON, Duration.ofMinutes(10), new RunOutcome.Requeued())),
                List.of(plan(Issuer.QUOTA, NOON.plusSeconds(120)), plan(Issuer.BACKFILL, NOON.plusSeconds(60))));

        assertThat(progress).isEqualTo(new JobProgress(null, null, 1, null, NOON.plusSeconds(60), null));
    }

    @Test
    void an_ended_job_shows_its_last_run() {
        final RunEnded last = run(NOON, Duration.ofMinutes(10), new RunOutcome.Exited(0));
        final JobProgress progress = JobProgress.of(
                job(new GlobalJobState.End(new RunOutcome.Exited(0))),
                null,
                List.of(run(NOON.minusSeconds(3600), Duration.ofMinutes(10), new RunOutcome.Requeued()), last),
                List.of(plan(Issuer.BACKFILL, NOON)));

        assertThat(progress).isEqualTo(new JobProgress(last.startedAt(), last.endedAt(), 1, last, null, null));
    }

    @Test
    void a_job_that_ended_without_a_run_ended_with_its_state() {
        final GlobalJob aborted = job(new GlobalJobState.Aborted("no cluster has 4096 cores"));

        assertThat(JobProgress.of(aborted, null, List.of(), List.of()))
                .isEqualTo(new JobProgress(null, aborted.since(), 0, null, null, null));
    }
}
