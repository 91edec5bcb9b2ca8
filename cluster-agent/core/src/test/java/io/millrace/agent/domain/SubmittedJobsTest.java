package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTimeoutAction;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SubmittedJobsTest {

    private static final AttemptId ATTEMPT =
            GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1);
    private static final CheckpointMethod SAVES =
            new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(2));

    private static final UserName ACCOUNT = UserName.of("as12");

    private final SubmittedJobs handedIn = new SubmittedJobs();

    private static Action.Submit submit() {
        return new Action.Submit(
                ATTEMPT,
                UserName.of("anna"),
                new JobSpec(
                        "job",
                        "#!/bin/sh\n",
                        null,
                        Resources.cores(1),
                        Duration.ofHours(1),
                        null,
                        ProjectName.of("climate"),
                        Map.of(),
                        SAVES,
                        false),
                "/home/anna",
                "");
    }

    private static JobObserved seen(final @Nullable AttemptId attempt, final CheckpointMethod checkpoint) {
        final JobObserved plain = job(1, "as12", 1, RUNNING);
        return new JobObserved(
                plain.job(),
                plain.name(),
                plain.owner(),
                ProjectName.of("p1"),
                plain.partition(),
                plain.state(),
                null,
                plain.resources(),
                plain.walltime(),
                Eligibility.since(Instant.EPOCH),
                attempt,
                0,
                0,
                checkpoint,
                JobDetail.NONE);
    }

    @Test
    void a_job_is_shown_as_its_owner_handed_it_in() {
        handedIn.learn(submit(), ACCOUNT);
        final JobObserved shown = handedIn.complete(seen(ATTEMPT, new CheckpointMethod.None()));
        assertThat(shown.owner()).isEqualTo(UserName.of("anna"));
        assertThat(shown.project()).isEqualTo(ProjectName.of("climate"));
        assertThat(shown.checkpoint()).isEqualTo(SAVES);
        assertThat(shown.state()).isEqualTo(RUNNING);
    }

    @Test
    void submitted_jobs_on_the_log_are_known_after_a_restart() {
        handedIn.learn(submit(), ACCOUNT);
        final JobObserved said = handedIn.complete(seen(ATTEMPT, new CheckpointMethod.None()));

        final SubmittedJobs next = new SubmittedJobs();
        next.learn(said, ACCOUNT);
        assertThat(next.complete(seen(ATTEMPT, new CheckpointMethod.None()))).isEqualTo(said);
    }

    @Test
    void what_the_workload_manager_itself_says_of_checkpoints_counts_more() {
        handedIn.learn(submit(), ACCOUNT);
        final CheckpointMethod byWlm =
                new CheckpointMethod.Native(Duration.ofMinutes(1), CheckpointTimeoutAction.LEAVE);
        assertThat(handedIn.complete(seen(ATTEMPT, byWlm)).checkpoint()).isEqualTo(byWlm);
    }

    @Test
    void a_job_that_was_not_submitted_through_millrace_stays_as_it_is() {
        final JobObserved own = seen(null, new CheckpointMethod.None());
        handedIn.learn(own, ACCOUNT);
        assertThat(handedIn.complete(own)).isEqualTo(own);
        assertThat(handedIn.isSubmitted(null, own.job(), ACCOUNT)).isFalse();
    }
}
