package io.millrace.migration;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.GAMMA;
import static io.millrace.migration.domain.Samples.availability;
import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.MoveLimits;
import io.millrace.migration.domain.Policies;
import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.migration.domain.World;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.policy.ClusterAvailability.Status;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.Request;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waiting attempts move to a cluster that can start them now: first all clusters are full, then cores on gamma become idle. */
class ReschedulingTest {

    private final World world = new World(Policies.fast(BETA, GAMMA));
    private final ScriptedCluster alpha = world.cluster(ALPHA, 8);
    private final ScriptedCluster beta = world.cluster(BETA, 8);
    private final ScriptedCluster gamma = world.cluster(GAMMA, 8);
    private final JobKey other;

    ReschedulingTest() {
        alpha.occupy(8);
        beta.occupy(8);
        other = gamma.occupy(8);
        List.of(alpha, beta, gamma).forEach(ScriptedCluster::observe);
    }

    /** A job in the full queue of its own cluster, which is predicted to start it after this time. */
    private Samples waitsFor(final Samples sample, final Duration wait) {
        world.say(sample.submitted(world.now));
        world.settle();
        heartbeats(Duration.ofMinutes(11));
        assertThat(world.job(sample).attempts()).extracting(Attempt::cluster).containsExactly(ALPHA);
        predict(sample, wait);
        world.settle();
        return sample;
    }

    private void heartbeats(final Duration time) {
        for (long passed = 0; passed < time.toSeconds(); passed += 30) {
            world.pass(Duration.ofSeconds(30));
            world.settle();
        }
    }

    private void predict(final Samples sample, final Duration wait) {
        final JobKey local = world.job(sample).attempts().getLast().localJob();
        world.say(new Plan(local, Issuer.BACKFILL, world.now.plus(wait), 1, "behind others", List.of()));
    }

    private void free(final ScriptedCluster cluster, final JobKey job) {
        cluster.end(job, new RunOutcome.Exited(0));
        cluster.observe();
        world.settle();
    }

    private List<Attempt> attempts(final Samples sample) {
        return world.job(sample).attempts();
    }

    @Test
    void a_waiting_attempt_moves_to_a_cluster_that_can_start_it_now() {
        final Samples waits = waitsFor(job("A"), Duration.ofHours(3));
        free(gamma, other);

        assertThat(attempts(waits)).extracting(Attempt::cluster).containsExactly(ALPHA, GAMMA);
        assertThat(attempts(waits).getFirst().end().cause()).isEqualTo(AttemptEnd.Cause.MOVED);
        assertThat(attempts(waits).getFirst().end().reason())
                .contains("alpha is predicted to start it at", "gamma can start it now");
        assertThat(world.commands(command -> command.action() instanceof Action.Cancel))
                .singleElement()
                .satisfies(cancel -> assertThat(cancel.preconditions())
                        .containsExactly(new Precondition.JobWaits(
                                attempts(waits).getFirst().localJob())));
        assertThat(alpha.jobs()).noneMatch(job -> job.attempt() != null);
    }

    @Test
    void a_small_gain_moves_nothing() {
        final Samples waits = waitsFor(job("A"), Duration.ofMinutes(9));
        free(gamma, other);
        assertThat(attempts(waits)).hasSize(1);
    }

    @Test
    void a_job_without_a_prediction_stays() {
        final Samples waits = job("A");
        world.say(waits.submitted(world.now));
        heartbeats(Duration.ofMinutes(11));
        free(gamma, other);
        assertThat(attempts(waits)).hasSize(1);
    }

    @Test
    void a_job_that_its_owner_pinned_to_a_cluster_stays() {
        final Samples waits = waitsFor(job("A").pinnedTo(ALPHA), Duration.ofHours(3));
        free(gamma, other);
        assertThat(attempts(waits)).hasSize(1);
    }

    @Test
    void idle_capacity_is_promised_to_one_job_only() {
        final Samples first = waitsFor(job("A").cores(8), Duration.ofHours(3));
        final Samples second = waitsFor(job("B").cores(8), Duration.ofHours(4));
        free(gamma, other);
        assertThat(attempts(first)).hasSize(2);
        assertThat(attempts(second)).hasSize(1);
    }

    @Test
    void a_job_that_has_started_is_not_cancelled() {
        final Samples waits = waitsFor(job("A"), Duration.ofHours(3));
        gamma.end(other, new RunOutcome.Exited(0));
        gamma.observe();
        world.decide();
        alpha.jobs().stream()
                .filter(job -> job.attempt() == null)
                .forEach(job -> alpha.end(job.job(), new RunOutcome.Exited(0)));
        alpha.startWhatFits();
        world.settle();
        assertThat(attempts(waits)).hasSize(1);
        assertThat(attempts(waits).getFirst().endedAt()).isNull();
        assertThat(alpha.jobs()).hasSize(1);
    }

    @Test
    void a_preempted_job_brings_the_checkpoint_of_its_application() {
        final Samples moves = job("A").saving(new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(1)));
        free(gamma, other);
        world.say(moves.submitted(world.now));
        world.settle();
        assertThat(attempts(moves)).extracting(Attempt::cluster).containsExactly(GAMMA);
        gamma.requeue(attempts(moves).getFirst().localJob());
        gamma.occupy(8);
        gamma.observe();
        heartbeats(Duration.ofMinutes(6));
        predict(moves, Duration.ofHours(3));
        beta.jobs().forEach(job -> beta.end(job.job(), new RunOutcome.Exited(0)));
        beta.observe();
        world.settle();
        assertThat(attempts(moves)).extracting(Attempt::cluster).containsExactly(GAMMA, BETA);
        assertThat(world.events(Request.TransferRequested.class, transfer -> true))
                .extracting(transfer ->
                        transfer.from().cluster() + " to " + transfer.to().cluster())
                .containsExactly("alpha to gamma", "gamma to alpha", "alpha to beta");
    }

    @Test
    void a_drained_cluster_attracts_no_job() {
        final Samples waits = waitsFor(job("A"), Duration.ofHours(3));
        world.say(availability(GAMMA, Status.DRAINED, world.now));
        free(gamma, other);
        assertThat(attempts(waits)).hasSize(1);
    }

    @Test
    void the_gain_is_at_least_the_minimum_and_half_of_the_wait_and_moves_are_limited() {
        final MoveLimits limits = new MoveLimits(2, Duration.ofMinutes(10));
        assertThat(limits.allows(0, Duration.ofMinutes(20), Duration.ofMinutes(10)))
                .isTrue();
        assertThat(limits.allows(0, Duration.ofMinutes(20), Duration.ofSeconds(599)))
                .isFalse();
        assertThat(limits.allows(0, Duration.ofHours(2), Duration.ofMinutes(59)))
                .isFalse();
        assertThat(limits.allows(1, Duration.ofHours(2), Duration.ofMinutes(60)))
                .isTrue();
        assertThat(limits.allows(2, Duration.ofHours(2), Duration.ofHours(2))).isFalse();
    }
}
