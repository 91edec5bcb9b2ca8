package io.millrace.classifier.domain.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.policy.RunTimeRatio;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RunTimeRatiosTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final ClusterId BETA = ClusterId.of("beta");

    private final RunTimeRatios ratios = new RunTimeRatios();
    private int number;

    private void run(final ClusterId on, final int program, final long seconds, final RunOutcome outcome) {
        final Instant start = Instant.parse("2026-03-01T10:00:00Z").plusSeconds(++number);
        ratios.ended(new RunEnded(
                new JobKey(new JobId(on, "" + number), start),
                "program" + program,
                null,
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                Resources.cores(4),
                null,
                1,
                start,
                start.plusSeconds(seconds),
                outcome,
                0,
                "test",
                null));
    }

    private void threeRuns(final ClusterId on, final int program, final long seconds) {
        for (int i = -1; i <= 1; i++) {
            run(on, program, seconds + i, new RunOutcome.Exited(0));
        }
    }

    private void programs(final int count) {
        for (int p = 1; p <= count; p++) {
            threeRuns(ALPHA, p, 100L * p);
            threeRuns(BETA, p, 300L * p);
        }
    }

    @Test
    void programs_that_ran_on_both_clusters_give_the_ratio_in_both_directions() {
        programs(RunTimeRatios.LEAST_PROGRAMS);
        assertThat(ratios.measured())
                .containsExactly(
                        new RunTimeRatio(ALPHA, BETA, 300, RunTimeRatios.LEAST_PROGRAMS),
                        new RunTimeRatio(BETA, ALPHA, 35, RunTimeRatios.LEAST_PROGRAMS));
    }

    @Test
    void too_few_programs_give_none() {
        programs(RunTimeRatios.LEAST_PROGRAMS - 1);
        threeRuns(ALPHA, 99, 100);
        assertThat(ratios.measured()).isEmpty();
    }

    @Test
    void failed_and_short_runs_do_not_count() {
        programs(RunTimeRatios.LEAST_PROGRAMS - 1);
        threeRuns(ALPHA, 99, 100);
        for (int i = 0; i < 5; i++) {
            run(BETA, 99, 300, new RunOutcome.Exited(1));
            run(BETA, 99, 300, new RunOutcome.TimedOut());
            run(BETA, 99, 9, new RunOutcome.Exited(0));
        }
        assertThat(ratios.measured()).isEmpty();
    }

    @Test
    void a_program_that_changed_between_the_clusters_hardly_matters() {
        programs(RunTimeRatios.LEAST_PROGRAMS);
        threeRuns(ALPHA, 99, 100);
        threeRuns(BETA, 99, 100_000);
        assertThat(ratios.measured().getFirst().ratioPercent()).isEqualTo(300);
    }
}
