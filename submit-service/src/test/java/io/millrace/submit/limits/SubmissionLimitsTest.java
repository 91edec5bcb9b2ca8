package io.millrace.submit.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.TestData;
import io.millrace.submit.config.LimitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.testing.Attack;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SubmissionLimitsTest {

    /** Unfinished jobs of each user, as the read model counts them. */
    private static final int UNFINISHED = 10;

    private static final int UNFINISHED_OF_ALL = 1_000;

    private static SubmissionLimits limits(final String... more) {
        final SmallRyeConfigBuilder settings = new SmallRyeConfigBuilder().withMapping(LimitSettings.class);
        for (int i = 0; i < more.length; i += 2) {
            settings.withDefaultValue("millrace.submit.limits." + more[i], more[i + 1]);
        }
        return new SubmissionLimits(
                owner -> owner == null ? UNFINISHED_OF_ALL : UNFINISHED,
                settings.build().getConfigMapping(LimitSettings.class));
    }

    private static JobSubmitted job(final String user, final int kib) {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "job");
        return job.withSpec(job.spec()
                .withTexts(
                        "#!/bin/sh\n#" + "x".repeat(kib * 1024),
                        null,
                        Map.of(),
                        job.spec().arguments()));
    }

    private static void isRefused(
            final SubmissionLimits limits, final JobSubmitted job, final int number, final String... parts) {
        assertThatThrownBy(() -> limits.use(job, number))
                .asInstanceOf(type(RequestRefused.class))
                .satisfies(refused -> {
                    assertThat(refused.kind()).isEqualTo(RequestRefused.Kind.TOO_MANY);
                    assertThat(refused.retryAfter()).isPositive();
                    assertThat(refused.reason()).contains(parts);
                });
    }

    @Attack("one user has more unfinished jobs than the site allows")
    @Test
    void the_unfinished_jobs_of_a_user_are_limited() {
        final SubmissionLimits limits = limits("user-jobs", "15");

        limits.use(job("mallory", 0), 3);
        isRefused(limits, job("mallory", 0), 3, "user 'mallory' has 13", "15", "millrace.submit.limits.user-jobs");
        limits.use(job("mallory", 0), 2);
        limits.use(job("anna", 0), 5);
    }

    @Test
    void the_unfinished_jobs_of_all_users_are_limited() {
        final SubmissionLimits limits = limits("jobs", "1010");

        limits.use(job("mallory", 0), 6);
        isRefused(limits, job("anna", 0), 5, "all users together have 1006", "1010", "millrace.submit.limits.jobs");
        limits.use(job("anna", 0), 4);
    }

    @Attack("one user fills the log with texts that are within the limit of each request")
    @Test
    void the_bytes_of_a_user_are_limited() {
        final SubmissionLimits limits = limits("user-mib-per-hour", "1");

        limits.use(job("mallory", 300), 3);
        isRefused(
                limits, job("mallory", 300), 1, "user 'mallory'", "1 MiB", "millrace.submit.limits.user-mib-per-hour");
        limits.use(job("anna", 300), 3);
    }

    @Test
    void the_bytes_of_all_users_are_limited() {
        final SubmissionLimits limits = limits("mib-per-hour", "1");

        limits.use(job("mallory", 300), 3);
        isRefused(limits, job("anna", 300), 1, "all users together", "1 MiB", "millrace.submit.limits.mib-per-hour");
    }

    @Attack("one user repeats a request that is refused until the limit of all users is used up")
    @Test
    void refused_requests_do_not_count() {
        final SubmissionLimits limits = limits("user-mib-per-hour", "1", "jobs", "1500");

        for (int i = 0; i < 100; i++) {
            isRefused(limits, job("mallory", 300), 100, "millrace.submit.limits.user-mib-per-hour");
        }
        limits.use(job("anna", 0), 400);
    }
}
