package io.millrace.simulator.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.Quota;
import io.millrace.quota.domain.preemption.UpqppRules;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Scenario;
import io.millrace.simulator.Segment;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.swf.SwfJob;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuotaSchedulerTest {

    private static final ClusterId CLUSTER = ClusterId.of("virtual");
    private static final int CORES = 10;

    private static List<SimulatedJob> run(
            final QuotaPolicy policy, final PreemptionMode preemption, final long round_s, final SwfJob... jobs) {
        final ActiveQuotas book = new ActiveQuotas(0);
        for (int user = 1; user <= 2; user++) {
            book.put(new Quota(
                    UserName.of("u" + user), CLUSTER, 5, UserName.of("op"), "for the test", Instant.EPOCH, 1));
        }
        final QuotaScheduler.Rules rules = new QuotaScheduler.Rules(book, policy, preemption, round_s);
        return Simulation.run(
                List.of(jobs),
                Scenario.of(CORES, EventOrder.PASS_PER_INSTANT, () -> new QuotaScheduler(CLUSTER, CORES, rules)));
    }

    private static SwfJob job(final int id, final long submit_s, final int cores, final int user) {
        return new SwfJob(id, submit_s, 1000, cores, 1000, user, -1);
    }

    @Test
    void borrowed_work_is_preempted_at_once_and_starts_again_from_the_beginning() {
        final List<SimulatedJob> jobs = run(
                QuotaPolicy.DEFAULT, PreemptionMode.REQUEUE, 1, job(1, 0, 5, 1), job(2, 10, 5, 1), job(3, 50, 4, 2));
        assertThat(jobs.get(2).start_s()).isEqualTo(50);
        assertThat(jobs.get(1).preemptions()).isEqualTo(1);
        assertThat(jobs.get(1).segments().getFirst()).isEqualTo(new Segment(10, 50, Segment.Kind.LOST, 0));
        assertThat(jobs.get(1).lostCoreSeconds()).isEqualTo(5 * 40);
        assertThat(jobs.get(0).preemptions()).isZero();
    }

    @Test
    void a_checkpoint_delays_the_beneficiary_and_keeps_the_work() {
        final List<SimulatedJob> jobs = run(
                QuotaPolicy.DEFAULT,
                PreemptionMode.checkpoint(7, 3),
                1,
                job(1, 0, 5, 1),
                job(2, 10, 5, 1),
                job(3, 50, 4, 2));
        assertThat(jobs.get(2).start_s()).isEqualTo(57);
        assertThat(jobs.get(1).segments().getFirst().work_s()).isEqualTo(40);
        assertThat(jobs.get(1).lostCoreSeconds()).isEqualTo(5 * (7 + 3));
    }

    @Test
    void no_decision_is_made_between_rounds() {
        final List<SimulatedJob> jobs =
                run(QuotaPolicy.DEFAULT, PreemptionMode.REQUEUE, 100, job(1, 0, 5, 1), job(2, 10, 5, 1));
        assertThat(jobs.get(1).start_s()).isEqualTo(100);
    }

    @Test
    void as_published_idle_cores_must_exceed_the_need() {
        final QuotaPolicy paper = QuotaPolicy.DEFAULT.with(UpqppRules.PAPER);
        final List<SimulatedJob> jobs =
                run(paper, PreemptionMode.REQUEUE, 1, job(1, 0, 5, 1), job(2, 0, 5, 2), job(3, 0, 4, 2));
        assertThat(jobs.get(1).start_s()).as("5 idle cores are not more than 5").isEqualTo(1000);
        assertThat(jobs.get(2).start_s()).isZero();
    }

    @Test
    void hard_limits_let_cores_idle() {
        final List<SimulatedJob> jobs = Simulation.run(
                List.of(job(1, 0, 5, 1), job(2, 0, 5, 1), job(3, 0, 2, 2)),
                Scenario.of(CORES, EventOrder.PASS_PER_INSTANT, () -> new HardLimits(CORES, 5, 1)));
        assertThat(jobs).extracting(SimulatedJob::start_s).containsExactly(0L, 1000L, 0L);
    }
}
