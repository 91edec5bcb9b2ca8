package io.millrace.agent.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Observation;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tag of a job is text that any user can set. */
class ForgedTagTest {

    private static final AttemptId ATTEMPT =
            GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1);
    private static final JobState SUBMISSION_HOLD = new JobState.Held(HoldKind.SUBMISSION);
    private static final JobState RUNNING = new JobState.Running(Instant.EPOCH, List.of());
    private static final JobState USER_HOLD = new JobState.Held(HoldKind.USER);

    private final SiteTranslation agent =
            new SiteTranslation(SiteMapping.none(ClusterId.of("alpha")), new LocalProjects(LocalProjects.Trust.ALL));

    @Test
    void the_tag_of_a_submitted_job_is_accepted_for_its_owner() {
        agent.learn(submitFor("anna"));

        assertThat(published(tagged(1, "anna", SUBMISSION_HOLD)).attempt()).isEqualTo(ATTEMPT);
    }

    @Test
    void a_tag_that_the_agent_never_submitted_is_ignored_and_the_hold_is_the_users() {
        final JobObserved shown = published(tagged(1, "mallory", SUBMISSION_HOLD));

        assertThat(shown.attempt()).isNull();
        assertThat(shown.state()).isEqualTo(USER_HOLD);
        assertThat(shown.owner()).isEqualTo(UserName.of("mallory"));
    }

    @Test
    void a_copy_of_another_users_tag_does_not_make_the_job_that_users() {
        agent.learn(submitFor("anna"));

        final JobObserved shown = published(tagged(2, "mallory", RUNNING));

        assertThat(shown.attempt()).isNull();
        assertThat(shown.owner()).isEqualTo(UserName.of("mallory"));
        assertThat(shown.state()).isEqualTo(RUNNING);
    }

    @Test
    void a_tag_of_another_cluster_is_ignored_even_for_its_owner() {
        final SiteTranslation beta =
                new SiteTranslation(SiteMapping.none(ClusterId.of("beta")), new LocalProjects(LocalProjects.Trust.ALL));
        agent.learn(submitFor("anna"));

        assertThat(beta.of(observation(tagged(1, "anna", SUBMISSION_HOLD))).jobs())
                .allSatisfy(shown -> assertThat(shown.attempt()).isNull());
    }

    @Test
    void the_tag_of_the_next_attempt_cannot_be_taken_in_advance() {
        agent.learn(submitFor("anna"));
        final JobObserved next =
                tagged(2, "mallory", SUBMISSION_HOLD, ATTEMPT.job().attempt(2));

        assertThat(published(next).attempt()).isNull();
    }

    @Test
    void an_end_in_accounting_with_a_copied_tag_is_not_the_end_of_the_global_job() {
        agent.learn(submitFor("anna"));

        final JobObserved copy = tagged(2, "mallory", RUNNING);
        assertThat(agent.isSubmitted(ATTEMPT, copy.job(), UserName.of("mallory")))
                .isFalse();
        assertThat(agent.isSubmitted(ATTEMPT, copy.job(), UserName.of("anna"))).isTrue();
    }

    @Test
    void after_a_restart_the_published_jobs_prove_their_tags() {
        agent.learn(submitFor("anna"));
        final JobObserved shown = published(tagged(1, "anna", RUNNING));
        final SiteTranslation restarted = new SiteTranslation(
                SiteMapping.none(ClusterId.of("alpha")), new LocalProjects(LocalProjects.Trust.ALL));
        restarted.learn(List.of(shown));

        final List<JobObserved> seen = restarted
                .of(observation(tagged(1, "anna", RUNNING), tagged(2, "mallory", SUBMISSION_HOLD)))
                .jobs();

        assertThat(seen.get(0).attempt()).isEqualTo(ATTEMPT);
        assertThat(seen.get(1).attempt()).isNull();
    }

    private JobObserved published(final JobObserved seen) {
        return agent.of(observation(seen)).jobs().getFirst();
    }

    private static Observation observation(final JobObserved... jobs) {
        return new Observation(Instant.EPOCH, Control.DIRECTED, List.of(jobs), List.of(), List.of());
    }

    private static JobObserved tagged(final int id, final String owner, final JobState state) {
        return tagged(id, owner, state, ATTEMPT);
    }

    private static JobObserved tagged(final int id, final String owner, final JobState state, final AttemptId attempt) {
        return new JobObserved(
                new JobKey(new JobId(ClusterId.of("alpha"), Integer.toString(id)), Instant.EPOCH),
                "job",
                UserName.of(owner),
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                Eligibility.since(Instant.EPOCH),
                attempt,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private static Action.Submit submitFor(final String owner) {
        return new Action.Submit(
                ATTEMPT,
                UserName.of(owner),
                new JobSpec(
                        "job",
                        "#!/bin/sh\n",
                        null,
                        Resources.cores(1),
                        Duration.ofHours(1),
                        null,
                        null,
                        Map.of(),
                        new CheckpointMethod.None(),
                        false),
                "/home/" + owner,
                "");
    }
}
