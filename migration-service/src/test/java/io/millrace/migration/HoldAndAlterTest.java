package io.millrace.migration;

import static io.millrace.migration.domain.Samples.ANNA;
import static io.millrace.migration.domain.Samples.job;
import static io.millrace.migration.domain.Samples.local;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Samples;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Stopped;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Jobs that their owner or an operator holds, releases or alters. */
class HoldAndAlterTest extends GlobalJobScenario {

    private void hold(final Samples sample) {
        world.pass(Duration.ofSeconds(1));
        world.say(sample.hold(ANNA, world.now));
        world.settle();
    }

    private void release(final Samples sample) {
        world.pass(Duration.ofSeconds(1));
        world.say(sample.release(world.now));
        world.settle();
    }

    private JobState stateOf(final JobKey local) {
        return alpha.jobs().stream()
                .filter(job -> job.job().equals(local))
                .findFirst()
                .orElseThrow()
                .state();
    }

    @Test
    void a_held_job_is_not_placed_and_explains_why_until_it_is_released() {
        world.say(AWAY.submitted(world.now));
        hold(AWAY);

        assertThat(world.state(AWAY)).isInstanceOf(Waiting.class);
        assertThat(world.job(AWAY).hold()).isNotNull();
        assertThat(world.plan(AWAY).vetoes()).extracting(Veto::code).containsExactly("held-by-user");
        assertThat(world.plan(AWAY).reason()).contains("mgrelease " + AWAY.id());

        release(AWAY);
        assertThat(world.job(AWAY).hold()).isNull();
        assertThat(world.state(AWAY)).isInstanceOf(Submitted.class);
    }

    @Test
    void a_job_that_waits_in_the_queue_of_a_cluster_is_held_there_as_often_as_its_owner_wants() {
        final Samples sample = job("A").cores(8);
        submit(sample);
        alpha.occupy(8);
        world.settle();
        final JobKey local = ((Submitted) world.state(sample)).localJob();

        for (int i = 0; i < 2; i++) {
            hold(sample);
            assertThat(stateOf(local)).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
            assertThat(((Submitted) world.state(sample)).released()).isFalse();

            release(sample);
            assertThat(stateOf(local)).isEqualTo(new JobState.Queued());
            assertThat(((Submitted) world.state(sample)).released()).isTrue();
        }
        assertThat(orders()).containsExactly("submit", "release", "hold", "release", "hold", "release");
    }

    @Test
    void a_release_that_overtakes_the_command_to_hold_is_carried_out_afterwards() {
        final Samples sample = job("A").cores(8);
        submit(sample);
        alpha.occupy(8);
        world.settle();
        world.pass(Duration.ofSeconds(1));
        world.say(sample.hold(ANNA, world.now));
        world.decide();
        world.say(sample.release(world.now));
        world.decide();
        world.pass(Duration.ofSeconds(1));
        world.settle();

        assertThat(orders()).containsExactly("submit", "release", "hold", "release");
        assertThat(stateOf(((Submitted) world.state(sample)).localJob())).isEqualTo(new JobState.Queued());
    }

    private JobKey heldDuringItsRelease(final Samples sample, final int occupied) {
        submit(sample);
        alpha.occupy(occupied);
        for (int round = 0; round < 20 && !orders().contains("release"); round++) {
            alpha.work();
            world.decide();
        }
        world.say(sample.hold(ANNA, world.now));
        world.decide();
        alpha.work();
        world.pass(Duration.ofSeconds(1));
        world.settle();
        return ((Submitted) world.state(sample)).localJob();
    }

    @Test
    void a_hold_that_overtakes_the_command_to_release_is_carried_out_afterwards() {
        final JobKey waiting = heldDuringItsRelease(job("A").cores(8), 8);

        assertThat(orders()).containsExactly("submit", "release", "hold");
        assertThat(stateOf(waiting)).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        release(job("A"));
        assertThat(orders()).containsExactly("submit", "release", "hold", "release");
    }

    @Test
    void a_job_that_starts_before_it_is_held_does_not_count_as_held_until_it_waits_again() {
        final JobKey running = heldDuringItsRelease(job("A"), 0);

        assertThat(stateOf(running)).isInstanceOf(JobState.Running.class);
        assertThat(((Submitted) world.state(job("A"))).released()).isTrue();
        alpha.occupy(8);
        alpha.requeue(running);
        world.settle();
        assertThat(stateOf(running)).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
    }

    @Test
    void a_job_that_is_held_while_its_directory_is_copied_is_submitted_but_not_released() {
        world.transfers.paused = true;
        submit(job("A").cores(12));
        world.settle();
        hold(job("A").cores(12));
        world.transfers.paused = false;
        world.settle();

        assertThat(orders()).containsExactly("submit");
        assertThat(world.plan(job("A")).vetoes()).extracting(Veto::code).containsExactly("held-by-user");
        release(job("A"));
        assertThat(orders()).containsExactly("submit", "release");
    }

    @Test
    void a_running_job_is_held_only_when_it_waits_again() {
        final Samples sample = job("A");
        submit(sample);
        world.settle();
        final JobKey local = onlyJob(alpha);
        hold(sample);
        assertThat(stateOf(local)).isInstanceOf(JobState.Running.class);
        assertThat(orders()).doesNotContain("hold");

        alpha.occupy(8);
        alpha.requeue(local);
        world.settle();
        assertThat(stateOf(local)).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        release(sample);
    }

    @Test
    void an_operators_hold_replaces_that_of_the_owner_and_not_the_other_way_round() {
        world.say(AWAY.submitted(world.now));
        hold(AWAY);
        world.say(AWAY.hold(UserName.of("olga"), world.now));
        world.decide();
        assertThat(world.job(AWAY).holdKind()).isEqualTo(HoldKind.OPERATOR);
        final long version = world.job(AWAY).version();

        hold(AWAY);
        assertThat(world.job(AWAY).version()).isEqualTo(version);
        assertThat(world.plan(AWAY).vetoes()).extracting(Veto::code).containsExactly("held-by-operator");
    }

    @Test
    void a_held_job_can_be_stopped() {
        beta.occupy(16);
        submit(AWAY);
        hold(AWAY);
        stop(AWAY);
        world.settle();

        assertThat(world.state(AWAY)).isInstanceOf(Stopped.class);
        assertThat(world.job(AWAY).hold()).isNull();
    }

    @Test
    void a_waiting_job_is_placed_as_it_was_altered() {
        world.say(AWAY.submitted(world.now));
        world.say(AWAY.hold(ANNA, world.now));
        world.say(AWAY.alter(world.now, Duration.ofMinutes(7), 3, null));
        world.decide();
        release(AWAY);

        assertThat(world.commands(c -> c.action() instanceof Action.Submit))
                .extracting(c -> ((Action.Submit) c.action()).spec())
                .allSatisfy(spec -> {
                    assertThat(spec.walltime()).isEqualTo(Duration.ofMinutes(7));
                    assertThat(spec.resources().cores()).isEqualTo(3);
                    assertThat(spec.name()).isEqualTo("sample " + AWAY.id());
                })
                .hasSize(1);
    }

    @Test
    void a_placed_job_stays_as_it_was_submitted() {
        submit(AWAY);
        world.settle();
        final GlobalJob before = world.job(AWAY);
        world.say(AWAY.alter(world.now, Duration.ofMinutes(7), 3, 5));
        world.settle();

        assertThat(world.job(AWAY)).isEqualTo(before);
    }

    @Test
    void the_walltime_of_a_placed_job_is_recorded_for_further_attempts() {
        submit(AWAY);
        world.settle();
        final GlobalJob before = world.job(AWAY);
        assertThat(before.state()).isInstanceOf(Submitted.class);
        world.say(AWAY.alter(world.now, Duration.ofMinutes(7), null, null));
        world.settle();

        assertThat(world.job(AWAY).submission().spec())
                .isEqualTo(before.submission().spec().withWalltime(Duration.ofMinutes(7)));
        assertThat(world.job(AWAY).state()).isEqualTo(before.state());
        assertThat(world.job(AWAY).attempts()).isEqualTo(before.attempts());
    }

    @Test
    void the_cores_of_a_placed_job_are_recorded_for_further_attempts() {
        submit(AWAY);
        world.settle();
        final GlobalJob before = world.job(AWAY);
        world.say(AWAY.alter(world.now, null, 3, null));
        world.settle();

        assertThat(world.job(AWAY).submission().spec())
                .isEqualTo(before.submission().spec().altered(null, 3));
        assertThat(world.job(AWAY).state()).isEqualTo(before.state());
        assertThat(world.job(AWAY).attempts()).isEqualTo(before.attempts());
    }
}
