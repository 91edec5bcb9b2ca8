package io.millrace.transfer;

import static io.millrace.transfer.domain.World.ALPHA;
import static io.millrace.transfer.domain.World.BETA;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.UserName;
import io.millrace.model.command.Command;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.TransferState.Copying;
import io.millrace.model.transfer.TransferState.Failed;
import io.millrace.model.transfer.TransferState.Held;
import io.millrace.model.transfer.TransferState.Planned;
import io.millrace.model.transfer.TransferState.Verified;
import io.millrace.transfer.domain.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Failed, late and interrupted copies. */
class TransferRetriesTest extends TransferScenario {

    @Test
    void a_failed_copy_is_retried_with_back_off_and_then_held_until_it_is_released() {
        copy(1);
        for (int tries = 1; tries < 5; tries++) {
            world.answer(world.copies().getLast(), FAILED);
            world.decide();
            assertThat(world.state(1)).isEqualTo(new Planned(tries, "rsync: connection reset"));
            later(Duration.ofSeconds(5L << (tries - 1)));
            assertThat(world.copies()).hasSize(tries);
            later(Duration.ofSeconds(5L << (tries - 1)));
            assertThat(world.copies()).hasSize(tries + 1);
        }
        world.answer(world.copies().getLast(), FAILED);
        world.decide();
        assertThat(((Held) world.state(1)).reason()).contains("5 copies", "connection reset");
        later(Duration.ofDays(1));
        assertThat(world.copies()).hasSize(5);
        world.restart();
        released(1);
        assertThat(world.state(1)).isEqualTo(new Copying(5));
        world.answer(world.copies().getLast(), FAILED);
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Planned(6, "rsync: connection reset"));
        later(Duration.ofMinutes(6));
        world.answer(world.copies().getLast(), DONE);
        world.decide();
        assertThat(world.state(1)).isInstanceOf(Verified.class);
        assertThat(world.copies()).extracting(Command::id).doesNotHaveDuplicates();
    }

    @Test
    void the_code_of_a_failed_copy_is_kept_until_the_next_one() {
        copy(1);
        for (int tries = 1; tries < 5; tries++) {
            world.answer(world.copies().getLast(), new Result.Failed("no room", "disk-full"));
            world.decide();
            assertThat(world.state(1)).isEqualTo(new Planned(tries, "no room", "disk-full"));
            later(Duration.ofMinutes(6));
            assertThat(world.state(1)).isEqualTo(new Copying(tries));
        }
        world.answer(world.copies().getLast(), new Result.Failed("no room", "disk-full"));
        world.decide();
        assertThat(((Held) world.state(1)).code()).isEqualTo("disk-full");
    }

    @Test
    void a_release_has_no_effect_on_a_transfer_that_is_not_held() {
        world.answer(copy(1), new Result.Begun());
        released(1);
        released(2);
        assertThat(world.state(1)).isEqualTo(new Copying(0));
        assertThat(world.copies()).hasSize(1);
    }

    private void released(final int n) {
        world.say(new Request.TransferReleaseRequested(World.id(n), UserName.of("olga"), world.now));
        world.decide();
    }

    @Test
    void an_unclear_copy_is_copied_again() {
        copy(1);
        world.answer(world.copies().getLast(), new Result.Unclear("the agent was killed"));
        world.decide();
        later(Duration.ofSeconds(11));
        assertThat(world.copies()).hasSize(2);
    }

    @Test
    void a_command_refused_as_late_is_issued_again_without_limit() {
        copy(1);
        for (int i = 0; i < 12; i++) {
            world.answer(world.copies().getLast(), new Result.Refused(Refusal.EXPIRED, "late"));
            world.decide();
            later(Duration.ofMinutes(6));
        }
        assertThat(world.copies()).hasSize(13);
        assertThat(world.state(1)).isEqualTo(new Copying(12));
    }

    @Test
    void what_may_not_be_is_given_up_at_once() {
        copy(1);
        world.answer(world.copies().getLast(), new Result.Refused(Refusal.NOT_PERMITTED, "no such user here"));
        world.decide();
        assertThat(((Failed) world.state(1)).reason()).contains("no such user here");
    }

    @Test
    void an_unavailable_receiver_is_waited_for() {
        world.pass(Duration.ofMinutes(2));
        world.heartbeat(ALPHA);
        world.ask(1, ALPHA, BETA);
        world.decide();
        assertThat(world.copies()).isEmpty();
        assertThat(world.state(1)).isEqualTo(new Planned(0, "the agent of beta is unavailable"));
        later(Duration.ofHours(5));
        assertThat(world.copies()).hasSize(1);
    }

    @Test
    void a_command_that_no_agent_begins_is_issued_again_with_another_id() {
        copy(1);
        later(Duration.ofMinutes(12));
        later(Duration.ofMinutes(1));
        assertThat(world.copies()).hasSize(2);
        assertThat(world.copies()).extracting(Command::id).doesNotHaveDuplicates();
    }

    @Test
    void a_running_copy_may_take_hours() {
        world.answer(copy(1), new Result.Begun());
        for (int i = 0; i < 5; i++) {
            later(Duration.ofHours(1));
        }
        assertThat(world.copies()).hasSize(1);
        assertThat(world.stops()).isEmpty();
        world.answer(world.copies().getFirst(), DONE);
        world.decide();
        assertThat(world.state(1)).isInstanceOf(Verified.class);
    }

    @Test
    void a_copy_past_its_deadline_is_stopped_and_restarted() {
        world.answer(copy(1), new Result.Begun());
        later(Duration.ofHours(6).plusSeconds(1));
        assertThat(world.stops()).hasSize(1);
        world.answer(world.stops().getFirst(), new Result.Done(null, "stopped"));
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Planned(1, "it did not end within PT6H"));
        later(Duration.ofSeconds(11));
        assertThat(world.copies()).hasSize(2);
    }

    @Test
    void after_a_long_outage_copies_that_may_still_run_are_stopped_first() {
        world.answer(copy(1), new Result.Begun());
        world.decide();
        world.pass(Duration.ofHours(2));
        world.heartbeat(ALPHA, BETA);
        world.forget();
        world.decide();
        assertThat(world.copies()).hasSize(1);
        assertThat(world.stops()).hasSize(1);
        world.answer(world.stops().getFirst(), new Result.Refused(Refusal.STALE, "no such copy"));
        world.decide();
        later(Duration.ofSeconds(11));
        assertThat(world.copies()).hasSize(2);
    }
}
