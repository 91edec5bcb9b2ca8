package io.millrace.transfer;

import static io.millrace.transfer.domain.World.ALPHA;
import static io.millrace.transfer.domain.World.BETA;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.CopyProgress;
import io.millrace.model.transfer.ThroughStore;
import io.millrace.model.transfer.TransferState.Cancelled;
import io.millrace.model.transfer.TransferState.Copying;
import io.millrace.model.transfer.TransferState.Planned;
import io.millrace.model.transfer.TransferState.Verified;
import io.millrace.transfer.domain.TransferPolicy;
import io.millrace.transfer.domain.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transfers between clusters that only an object store connects. */
class ThroughStoreTest {

    private static final Result.Done DONE = new Result.Done(null, "12 files, 3 MiB, sha256 ab");
    private static final Copying SENDING = new Copying(0, null, null, null, new ThroughStore("site:x", false));

    private final World world = new World(TransferPolicy.DEFAULT);

    @BeforeEach
    void both_clusters_use_the_store() {
        world.store("site:x", ALPHA, BETA);
        world.heartbeat(ALPHA, BETA);
        world.ask(1, ALPHA, BETA);
        world.decide();
    }

    @Test
    void the_sending_agent_writes_the_tree_then_the_receiving_agent_fetches_it() {
        final Command send = world.sends().getFirst();
        assertThat(send.cluster()).isEqualTo(ALPHA);
        assertThat(((Action.SendTree) send.action()).filter()).isEqualTo(World.FILTER);
        assertThat(world.state(1)).isEqualTo(SENDING);
        assertThat(world.copies()).isEmpty();
        world.restart();
        begins(send);
        world.restart();
        world.answer(send, DONE);
        world.decide();
        assertThat(world.state(1)).isEqualTo(SENDING.sent());
        final Command fetch = world.copies().getFirst();
        assertThat(fetch.cluster()).isEqualTo(BETA);
        assertThat(((Action.CopyTree) fetch.action()).objectStore()).isEqualTo("site:x");
        assertThat(((Action.CopyTree) fetch.action()).keepChangedSince()).isEqualTo(World.NOON);
        world.restart();
        begins(fetch);
        world.answer(fetch, DONE);
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Verified("12 files, 3 MiB, sha256 ab"));
        assertThat(world.sends()).hasSize(1);
        assertThat(world.copies()).hasSize(1);
    }

    @Test
    void the_progress_is_that_of_the_agent_that_works() {
        begins(world.sends().getFirst());
        final CopyProgress half = new CopyProgress(World.id(1), 500, 50, 10, 50L);
        world.heartbeat(BETA, List.of(half));
        world.decide();
        assertThat(world.state(1)).isEqualTo(SENDING);
        world.heartbeat(ALPHA, List.of(half));
        world.decide();
        assertThat(world.state(1)).isEqualTo(SENDING.at(half));
    }

    @Test
    void a_failure_of_either_agent_begins_again_with_the_sending_agent() {
        world.answer(world.sends().getFirst(), new Result.Failed("no connection"));
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Planned(1, "no connection"));
        later(Duration.ofHours(1));
        world.answer(world.sends().getLast(), DONE);
        world.decide();
        world.answer(world.copies().getFirst(), new Result.Failed("an object is damaged"));
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Planned(2, "an object is damaged"));
        later(Duration.ofHours(1));
        assertThat(world.sends()).extracting(Command::cluster).containsExactly(ALPHA, ALPHA, ALPHA);
        assertThat(world.sends()).extracting(Command::id).doesNotHaveDuplicates();
    }

    @Test
    void a_transfer_that_is_cancelled_while_it_is_sent_is_stopped_at_the_source() {
        begins(world.sends().getFirst());
        cancel();
        assertThat(world.stops()).extracting(Command::cluster).containsExactly(ALPHA);
        world.answer(world.stops().getFirst(), new Result.Done(null, "stopped"));
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Cancelled("the job is stopped"));
        assertThat(world.copies()).isEmpty();
    }

    @Test
    void a_transfer_that_is_cancelled_while_it_is_fetched_is_stopped_at_the_destination() {
        world.answer(world.sends().getFirst(), DONE);
        world.decide();
        begins(world.copies().getFirst());
        cancel();
        assertThat(world.stops()).extracting(Command::cluster).containsExactly(BETA);
    }

    @Test
    void a_tree_that_was_sent_before_the_stop_arrived_is_not_fetched() {
        begins(world.sends().getFirst());
        cancel();
        world.answer(world.sends().getFirst(), DONE);
        world.answer(world.stops().getFirst(), new Result.Done(null, "no copy was running"));
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Cancelled("the job is stopped"));
        assertThat(world.copies()).isEmpty();
    }

    @Test
    void a_send_that_takes_too_long_is_stopped_and_begins_again() {
        begins(world.sends().getFirst());
        later(TransferPolicy.DEFAULT.copyTimeout().plusMinutes(1));
        assertThat(world.stops()).extracting(Command::cluster).containsExactly(ALPHA);
        world.answer(world.sends().getFirst(), DONE);
        world.answer(world.stops().getFirst(), new Result.Done(null, "no copy was running"));
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Planned(1, "it was stopped while it was sent"));
    }

    @Test
    void a_silent_sending_agent_is_waited_for() {
        world.ask(2, BETA, ALPHA);
        world.pass(Duration.ofHours(1));
        world.heartbeat(ALPHA);
        world.decide();
        world.ask(3, BETA, ALPHA);
        world.decide();
        assertThat(world.state(3)).isEqualTo(new Planned(0, "the agent of beta is unavailable"));
    }

    @Test
    void clusters_with_different_stores_or_with_ssh_do_not_use_one() {
        world.store("other:x", BETA);
        world.heartbeat(ALPHA, BETA);
        world.ask(2, "bob", ALPHA, BETA);
        world.decide();
        assertThat(world.state(2)).isEqualTo(new Copying(0));
        world.store("site:x", BETA);
        world.dataHost("alpha.example", ALPHA);
        world.heartbeat(ALPHA, BETA);
        world.ask(3, "carl", BETA, ALPHA);
        world.decide();
        assertThat(world.state(3)).as("ssh needs a host on both sides").isEqualTo(SENDING);
        world.dataHost("beta.example", BETA);
        world.heartbeat(ALPHA, BETA);
        world.ask(4, "dora", BETA, ALPHA);
        world.answer(world.copies().getFirst(), DONE);
        world.decide();
        assertThat(world.state(4)).isEqualTo(new Copying(0));
    }

    private void begins(final Command command) {
        world.answer(command, new Result.Begun());
        world.decide();
    }

    private void cancel() {
        world.say(new Request.TransferCancelRequested(World.id(1), "the job is stopped", world.now));
        world.decide();
    }

    private void later(final Duration time) {
        world.pass(time);
        world.heartbeat(ALPHA, BETA);
        world.decide();
    }
}
