package io.millrace.transfer;

import static io.millrace.transfer.domain.World.ALPHA;
import static io.millrace.transfer.domain.World.BETA;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.TransferState.Cancelled;
import io.millrace.model.transfer.TransferState.Copying;
import io.millrace.model.transfer.TransferState.Held;
import io.millrace.model.transfer.TransferState.Verified;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Transfers that are cancelled at any stage. */
class CancelTransfersTest extends TransferScenario {

    @Test
    void a_held_transfer_is_cancelled_when_its_job_is_stopped() {
        copy(1);
        for (int tries = 1; tries <= 5; tries++) {
            world.answer(world.copies().getLast(), FAILED);
            world.decide();
            later(Duration.ofMinutes(6));
        }
        assertThat(world.state(1)).isInstanceOf(Held.class);
        unwanted(1);
        assertThat(world.state(1)).isEqualTo(new Cancelled("the job is stopped"));
    }

    @Test
    void a_transfer_is_cancelled_before_it_starts() {
        world.pass(Duration.ofMinutes(2));
        world.ask(1, ALPHA, BETA);
        world.decide();
        unwanted(1);
        assertThat(world.state(1)).isEqualTo(new Cancelled("the job is stopped"));
    }

    @Test
    void a_transfer_is_cancelled_while_it_is_copied() {
        final Command copy = copy(1);
        world.answer(copy, new Result.Begun());
        unwanted(1);
        assertThat(world.state(1)).isEqualTo(new Copying(0).cancelled("the job is stopped"));
        assertThat(world.stops()).hasSize(1);
        world.restart();
        world.answer(world.stops().getFirst(), new Result.Done(null, "stopped"));
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Cancelled("the job is stopped"));
    }

    @Test
    void a_failed_stop_is_retried() {
        world.answer(copy(1), new Result.Begun());
        unwanted(1);
        world.answer(world.stops().getFirst(), new Result.Failed("no answer"));
        world.decide();
        assertThat(world.stops()).hasSize(1);
        later(Duration.ofSeconds(11));
        assertThat(world.stops()).hasSize(2);
        world.answer(world.copies().getFirst(), new Result.Failed("ended by a signal"));
        world.decide();
        assertThat(world.state(1)).isInstanceOf(Cancelled.class);
    }

    @Test
    void a_stop_gets_a_new_id_when_its_answer_is_forgotten() {
        world.answer(copy(1), new Result.Begun());
        unwanted(1);
        world.answer(world.stops().getFirst(), new Result.Failed("interrupted"));
        world.decide();
        world.pass(Duration.ofHours(2));
        world.decide();
        world.heartbeat(BETA);
        world.decide();
        assertThat(world.stops()).hasSize(2);
        assertThat(world.stops()).extracting(Command::id).doesNotHaveDuplicates();
        world.answer(world.stops().getLast(), new Result.Done(null, "no copy was running"));
        world.decide();
        assertThat(world.state(1)).isInstanceOf(Cancelled.class);
    }

    @Test
    void what_had_arrived_before_the_stop_is_verified_all_the_same() {
        world.answer(copy(1), DONE);
        unwanted(1);
        assertThat(world.state(1)).isInstanceOf(Verified.class);
        assertThat(world.stops()).isEmpty();
    }
}
