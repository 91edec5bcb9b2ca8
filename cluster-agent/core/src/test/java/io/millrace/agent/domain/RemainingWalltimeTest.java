package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.AT_THE_GATE;
import static io.millrace.agent.domain.TestJobs.NOON;
import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The job of the scene asks for an hour and has run for 100 s at noon. */
class RemainingWalltimeTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static @Nullable Duration left(
            final Duration after, final Duration restartCost, final @Nullable Duration longest) {
        return RemainingWalltime.of(
                        job(1, "anna", 2, RUNNING), NOON.minusSeconds(100).plus(after), restartCost, longest)
                .orElse(null);
    }

    @Test
    void what_remains_is_what_was_not_used_and_the_cost_of_the_restart() {
        assertThat(left(Duration.ofMinutes(40), MINUTE, null)).isEqualTo(Duration.ofMinutes(21));
        assertThat(left(Duration.ofMinutes(40).plusMillis(1), MINUTE, null))
                .as("whole seconds, rounded up")
                .isEqualTo(Duration.ofMinutes(21));
    }

    @Test
    void a_job_cut_early_gets_its_restart_on_top_as_far_as_its_partition_allows() {
        assertThat(left(Duration.ofSeconds(10), MINUTE, null)).isEqualTo(Duration.ofSeconds(3650));
        assertThat(left(Duration.ofSeconds(10), MINUTE, Duration.ofHours(2))).isEqualTo(Duration.ofSeconds(3650));
        assertThat(left(Duration.ofSeconds(10), MINUTE, Duration.ofHours(1)))
                .as("no more than before, so it stays as it is")
                .isNull();
        assertThat(left(Duration.ofMinutes(40), MINUTE, Duration.ofMinutes(10)))
                .as("a partition whose limit was lowered since does not cut what was granted")
                .isEqualTo(Duration.ofMinutes(21));
    }

    @Test
    void a_job_cut_at_its_limit_still_gets_its_restart() {
        assertThat(left(Duration.ofMinutes(61), MINUTE, null)).isEqualTo(MINUTE);
        assertThat(left(Duration.ofMinutes(61), Duration.ZERO, null)).isNull();
    }

    @Test
    void different_clocks_never_give_more_than_the_whole_walltime() {
        assertThat(left(Duration.ofSeconds(-50), MINUTE, null)).isEqualTo(Duration.ofMinutes(61));
    }

    @Test
    void a_job_that_does_not_run_is_left_as_it_is() {
        assertThat(RemainingWalltime.of(job(1, "anna", 2, AT_THE_GATE), NOON, MINUTE, null))
                .isEmpty();
    }
}
