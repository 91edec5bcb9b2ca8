package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;

/** Tests with a user who has jobs on two clusters, and an operator. Every test has its own user. */
abstract class JobsScene {

    static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    final String user = "u" + UUID.randomUUID().toString().substring(0, 8);
    final ApiClient mine = ApiClient.as(user);
    final ApiClient operators = ApiClient.as(TestSite.OPERATOR);

    @BeforeEach
    void clusters() {
        seen(TestData.clusters());
    }

    /** Waits until queries show the log up to this position. */
    void seen(final String position) {
        assertThat(mine.get("/api/v1/jobs", "Millrace-Offset", position).status())
                .isEqualTo(200);
    }

    JobSubmitted submitted() {
        return submitted("mesh");
    }

    JobSubmitted submitted(final String name) {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, name);
        seen(TestData.publish(job));
        return job;
    }

    /** Places the job on beta, with its local job in this state. */
    JobKey queued(final JobSubmitted job, final JobState state) {
        final JobKey local =
                TestData.key(TestData.BETA, ThreadLocalRandom.current().nextInt(1_000_000));
        TestData.publish(TestData.local(local, user, state, job.job().attempt(1)));
        seen(TestData.publish(
                TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), local, true), local, 1)));
        return local;
    }

    static String path(final JobSubmitted job, final String action) {
        return "/api/v1/jobs/" + job.job() + "/" + action;
    }

    static void isRefused(final ApiClient.Answer answer, final int status, final String... words) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
        assertThat(answer.body().path("detail").asText()).contains(words);
    }
}
