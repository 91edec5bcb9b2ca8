package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.AT_THE_GATE;
import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.interactive;
import static io.millrace.agent.domain.TestJobs.job;
import static io.millrace.agent.domain.TestJobs.key;
import static io.millrace.agent.domain.TestJobs.live;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.ReserveVictim;
import java.util.List;
import org.junit.jupiter.api.Test;

/** job 1 is preempted for job 2, which needs two idle cores, too. */
class ReserveVictimsTest {

    private static final JobObserved VICTIM = job(1, "anna", 2, RUNNING);
    private static final JobObserved BENEFICIARY = job(2, "bob", 4, AT_THE_GATE);

    private static List<JobKey> victims(final LiveCluster live, final int claimed, final ReserveVictim... reserve) {
        return ReserveVictims.resolve(
                        new Action.Reclaim(List.of(key(1)), key(2), null, List.of(reserve), null), live, claimed)
                .victims();
    }

    private static ReserveVictim reserved(final int job) {
        return new ReserveVictim(key(job), 0);
    }

    @Test
    void nothing_is_taken_while_the_cores_are_idle() {
        final LiveCluster live = live(2, VICTIM, BENEFICIARY, job(3, "anna", 2, RUNNING));
        assertThat(victims(live, 0, reserved(3))).containsExactly(key(1));
        assertThat(victims(live, 1, reserved(3)))
                .as("another reclaim claims one")
                .containsExactly(key(1), key(3));
    }

    @Test
    void only_as_many_started_jobs_as_needed_are_taken_in_their_order() {
        final LiveCluster live = live(
                0,
                VICTIM,
                BENEFICIARY,
                job(3, "anna", 2, AT_THE_GATE),
                job(4, "anna", 1, RUNNING),
                job(5, "anna", 1, RUNNING),
                job(6, "anna", 1, RUNNING));
        assertThat(victims(live, 0, reserved(3), reserved(6), reserved(4), reserved(5)))
                .containsExactly(key(1), key(6), key(4));
    }

    @Test
    void a_small_job_is_spared_if_a_wider_one_must_go_anyway() {
        final LiveCluster live = live(0, VICTIM, BENEFICIARY, job(3, "anna", 1, RUNNING), job(4, "anna", 2, RUNNING));
        assertThat(victims(live, 0, reserved(3), reserved(4))).containsExactly(key(1), key(4));
    }

    @Test
    void an_interactive_job_and_one_that_fills_its_owners_quota_are_never_taken() {
        final LiveCluster live = live(
                0,
                VICTIM,
                BENEFICIARY,
                interactive(3, RUNNING),
                job(4, "cleo", 2, RUNNING),
                job(5, "cleo", 3, RUNNING),
                job(6, "cleo", 8, RUNNING));
        assertThat(victims(live, 0, reserved(3))).containsExactly(key(1));
        assertThat(victims(live, 0, new ReserveVictim(key(4), 4)))
                .as("without it cleo's jobs within quota use 3 of 4 cores")
                .containsExactly(key(1));
        assertThat(victims(live, 0, new ReserveVictim(key(4), 3))).containsExactly(key(1), key(4));
        assertThat(victims(live, 0, new ReserveVictim(key(6), 4)))
                .as("wider than the quota")
                .containsExactly(key(1), key(6));
    }
}
