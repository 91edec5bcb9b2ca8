package io.millrace.agent.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ShortJobsTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Resources FULL = new Resources(0, 0, 0, 0);
    private static final Resources TWO_FREE = new Resources(2, 1, 0, 0);

    @Test
    void when_jobs_end_and_others_wait_the_next_end_is_expected_for_four_poll_intervals() {
        final ShortJobs seen = ShortJobs.NONE.after(FULL, TWO_FREE, true, NOON, INTERVAL);

        assertThat(seen.mayEnd(NOON)).isTrue();
        assertThat(seen.mayEnd(NOON.plusSeconds(19))).isTrue();
        assertThat(seen.mayEnd(NOON.plusSeconds(20))).isFalse();
    }

    @Test
    void a_start_counts_as_an_end_does() {
        assertThat(ShortJobs.NONE.after(TWO_FREE, FULL, true, NOON, INTERVAL).mayEnd(NOON))
                .isTrue();
    }

    @Test
    void jobs_that_run_on_cause_no_further_polls() {
        assertThat(ShortJobs.NONE.after(FULL, FULL, true, NOON, INTERVAL).mayEnd(NOON))
                .isFalse();
    }

    @Test
    void an_end_matters_only_if_a_job_waits() {
        assertThat(ShortJobs.NONE.after(FULL, TWO_FREE, false, NOON, INTERVAL).mayEnd(NOON))
                .isFalse();
    }
}
