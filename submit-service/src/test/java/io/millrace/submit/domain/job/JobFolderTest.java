package io.millrace.submit.domain.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.TestData;
import io.millrace.submit.domain.RequestRefused;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class JobFolderTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final ClusterId BETA = ClusterId.of("beta");

    private final JobSubmitted submission =
            TestData.submitted(GlobalJobId.of("01JNFQ6M5T8W3KZX9B2C4D7E1F"), "anna", "mesh");

    private GlobalJob job(final JobSubmitted of, final GlobalJobState state) {
        return new GlobalJob(
                of, state, List.of(new Attempt(2, BETA, "/staging/anna/it", "idle", NOON, null)), null, NOON, 3);
    }

    private GlobalJob job(final GlobalJobState state) {
        return job(submission, state);
    }

    private JobSubmitted with(final Map<String, String> environment) {
        final JobSpec spec = submission.spec();
        return new JobSubmitted(
                submission.job(),
                1,
                submission.owner(),
                new JobSpec(
                        spec.name(),
                        spec.script(),
                        null,
                        spec.resources(),
                        spec.walltime(),
                        null,
                        null,
                        environment,
                        spec.checkpoint(),
                        false),
                submission.source(),
                submission.directory(),
                null,
                submission.submittedAt(),
                "");
    }

    @Test
    void the_files_are_on_the_target_until_the_results_have_returned() {
        final var attempt = submission.job().attempt(2);
        final JobFolder there = new JobFolder(BETA, "/staging/anna/it");
        final JobFolder home = new JobFolder(submission.source(), submission.directory());

        assertThat(JobFolder.of(job(new GlobalJobState.Making(attempt)))).isEqualTo(there);
        assertThat(JobFolder.of(job(new GlobalJobState.Submitted(attempt, null, false))))
                .isEqualTo(there);
        assertThat(JobFolder.of(job(new GlobalJobState.Downloading(
                        attempt, TransferId.of(attempt + ".out"), new RunOutcome.Exited(0)))))
                .isEqualTo(there);
        assertThat(JobFolder.of(job(new GlobalJobState.End(new RunOutcome.Exited(0)))))
                .isEqualTo(home);
        assertThat(JobFolder.of(job(new GlobalJobState.Stopped(UserName.of("anna"), "x"))))
                .isEqualTo(home);
    }

    @Test
    void a_job_that_has_not_started_is_refused_with_the_place_of_its_files() {
        assertThatThrownBy(() -> JobFolder.of(job(new GlobalJobState.Waiting("full"))))
                .isInstanceOf(RequestRefused.class)
                .hasMessageContaining("has not started; it waits for a cluster, and its files are in "
                        + submission.directory() + " on " + submission.source());
        assertThatThrownBy(() -> JobFolder.of(job(new GlobalJobState.Uploading(
                        submission.job().attempt(2),
                        TransferId.of(submission.job().attempt(2) + ".in")))))
                .hasMessageContaining("are being copied from")
                .hasMessageContaining("to beta");
    }

    @Test
    void the_streams_have_the_names_that_the_cluster_gives_them() {
        final UnaryOperator<UserName> account = owner -> UserName.of("a007");
        final GlobalJobState running =
                new GlobalJobState.Submitted(submission.job().attempt(2), null, true);
        final GlobalJob plain = job(running);
        assertThat(JobFolder.file(plain, JobFolder.Stream.OUTPUT, account))
                .isEqualTo("millrace-01JNFQ6M5T8W3KZX9B2C4D7E1F.out")
                .isEqualTo(JobFolder.file(plain, JobFolder.Stream.ERROR, account));

        final GlobalJob named =
                job(with(Map.of("MILLRACE_OUTPUT", "logs/%x-%u.%N", "MILLRACE_ERROR", "%j.err")), running);
        assertThat(JobFolder.file(named, JobFolder.Stream.OUTPUT, account))
                .isEqualTo("logs/" + submission.spec().name() + "-a007.beta");
        assertThat(JobFolder.file(named, JobFolder.Stream.ERROR, account)).isEqualTo("01JNFQ6M5T8W3KZX9B2C4D7E1F.err");

        final GlobalJob silent = job(with(Map.of("MILLRACE_OUTPUT", "/dev/null")), running);
        assertThatThrownBy(() -> JobFolder.file(silent, JobFolder.Stream.OUTPUT, account))
                .hasMessageContaining("discards this output");
    }
}
