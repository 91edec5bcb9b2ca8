package io.millrace.transfer;

import static io.millrace.transfer.domain.World.ALPHA;
import static io.millrace.transfer.domain.World.BETA;
import static io.millrace.transfer.domain.World.GAMMA;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.TransferId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.CopyProgress;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState.Copying;
import io.millrace.model.transfer.TransferState.Planned;
import io.millrace.model.transfer.TransferState.Verified;
import io.millrace.testing.Attack;
import io.millrace.transfer.domain.Policies;
import io.millrace.transfer.domain.TransferPolicy;
import io.millrace.transfer.domain.World;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order of transfers and their shares of slots and bandwidth. */
class ManageTransfersTest extends TransferScenario {

    @Test
    void a_requested_transfer_is_copied_and_verified() {
        final Command copy = copy(1);
        assertThat(copy.cluster()).isEqualTo(BETA);
        assertThat(((Action.CopyTree) copy.action()).keepChangedSince()).isEqualTo(World.NOON);
        assertThat(((Action.CopyTree) copy.action()).filter()).isEqualTo(World.FILTER);
        assertThat(world.state(1)).isEqualTo(new Copying(0));
        world.answer(copy, new Result.Begun());
        world.answer(copy, DONE);
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Verified("12 files, 3 MiB, sha256 ab"));
    }

    @Test
    void a_second_request_changes_nothing() {
        final Command copy = copy(1);
        copy(1);
        world.answer(copy, DONE);
        world.decide();
        copy(1);
        assertThat(world.copies()).hasSize(1);
        assertThat(world.state(1)).isInstanceOf(Verified.class);
    }

    @Test
    void the_limit_per_pair_of_clusters_counts_both_directions() {
        for (int n = 1; n <= 8; n += 2) {
            world.ask(n, "user" + n, ALPHA, BETA);
            world.ask(n + 1, "user" + (n + 1), BETA, ALPHA);
        }
        world.ask(9, "zoe", ALPHA, BETA);
        world.ask(10, "zoe", ALPHA, GAMMA);
        world.decide();
        assertThat(world.copies()).hasSize(9);
        assertThat(world.state(9)).isEqualTo(new Planned(0, "waits for one of the 8 slots between alpha and beta"));
        world.answer(world.copies().getFirst(), DONE);
        world.decide();
        assertThat(world.state(9)).isEqualTo(new Copying(0));
    }

    @Test
    void the_limit_per_receiver_counts_all_sources() {
        final World limited = new World(Policies.perReceiver(15));
        limited.heartbeat(ALPHA, BETA, GAMMA);
        for (int n = 1; n <= 8; n++) {
            limited.ask(2 * n, "user" + n, ALPHA, BETA);
            limited.ask(2 * n + 1, "user" + n, GAMMA, BETA);
        }
        limited.decide();
        assertThat(limited.copies()).hasSize(15);
        assertThat(limited.state(17)).isEqualTo(new Planned(0, "waits for one of the 15 slots to beta"));
    }

    @Test
    void the_last_slot_is_for_other_users_so_that_they_do_not_wait_behind_a_terabyte() {
        for (int n = 1; n <= 9; n++) {
            world.ask(n, "anna", ALPHA, BETA);
        }
        world.decide();
        assertThat(world.copies()).hasSize(7);
        assertThat(world.state(8))
                .isEqualTo(new Planned(
                        0,
                        "waits for another copy of user 'anna': the last of the 8 slots between alpha and beta is for"
                                + " other users"));
        world.ask(10, "bob", ALPHA, BETA);
        world.decide();
        assertThat(world.state(10)).isEqualTo(new Copying(0));
    }

    @Test
    void a_free_slot_goes_to_the_user_with_the_fewest_copies_and_then_to_the_oldest_transfer() {
        for (int n = 1; n <= 9; n++) {
            world.ask(n, "anna", ALPHA, BETA);
        }
        for (int n = 11; n <= 15; n++) {
            world.ask(n, "bob", ALPHA, BETA);
        }
        world.decide();
        final List<TransferId> first =
                Stream.of(1, 11, 2, 12, 3, 13, 4, 14).map(World::id).toList();
        assertThat(started()).isEqualTo(first);
        world.answer(world.copies().get(1), DONE);
        world.decide();
        assertThat(started().subList(8, started().size())).containsExactly(World.id(15));
    }

    private List<TransferId> started() {
        return world.copies().stream()
                .map(command -> ((Action.CopyTree) command.action()).transfer())
                .toList();
    }

    @Attack("an agent answers the command to copy that another cluster got")
    @Test
    void only_the_cluster_that_got_a_command_answers_it() {
        final Command copy = copy(1);
        for (final Result forged : List.of(new Result.Begun(), DONE)) {
            world.say(new Outcome(
                    copy.id(),
                    GAMMA,
                    copy.issuer(),
                    copy.action().name(),
                    copy.action().subject(),
                    world.now,
                    forged));
        }
        world.decide();
        assertThat(world.state(1)).isEqualTo(new Copying(0));
        assertThat(copy.cluster()).isEqualTo(BETA);
        world.answer(copy, DONE);
        world.decide();
        assertThat(world.state(1)).isInstanceOf(Verified.class);
    }

    @Test
    void the_progress_that_the_receiving_agent_reports_is_published_once() {
        world.answer(copy(1), new Result.Begun());
        world.decide();
        final CopyProgress half = new CopyProgress(World.id(1), 500, 50, 100, 5L);
        world.heartbeat(BETA, List.of(half));
        final var since = world.now;
        world.pass(Duration.ofSeconds(5));
        assertThat(world.decide())
                .singleElement()
                .satisfies(event -> assertThat(((Transfer) event).since()).isEqualTo(since));
        assertThat(world.state(1)).isEqualTo(new Copying(0).at(half));
        world.heartbeat(BETA, List.of(half));
        assertThat(world.decide()).isEmpty();
        world.restart();
        world.answer(world.copies().getFirst(), DONE);
        world.decide();
        assertThat(world.state(1)).isInstanceOf(Verified.class);
    }

    private static int kib_s(final Command copy) {
        return Objects.requireNonNull(((Action.CopyTree) copy.action()).bandwidthKibPerSecond());
    }

    @Test
    void copies_share_the_bandwidth_of_their_link_and_of_all_links() {
        final TransferPolicy usual = Policies.INSTALLED;
        final World limited = new World(new TransferPolicy(
                4,
                10,
                10,
                usual.maxTries(),
                usual.initialBackoff(),
                usual.maxBackoff(),
                usual.commandValidity(),
                usual.copyTimeout(),
                usual.unavailableAfter(),
                usual.keepAfterSuccess(),
                usual.keepAfterFailure(),
                8,
                20));
        limited.heartbeat(ALPHA, BETA, GAMMA);
        limited.ask(1, "anna", ALPHA, BETA);
        limited.ask(2, "bob", BETA, ALPHA);
        limited.decide();
        assertThat(limited.copies()).extracting(ManageTransfersTest::kib_s).containsExactly(3072, 3072);

        limited.restart();
        limited.ask(3, "carl", ALPHA, BETA);
        limited.ask(4, "dora", ALPHA, GAMMA);
        limited.decide();
        assertThat(limited.copies().stream().skip(2))
                .as("1024 of 8192 are reserved for the fourth copy between alpha and beta")
                .extracting(ManageTransfersTest::kib_s)
                .containsExactly(1024, 5120);

        limited.answer(limited.copies().getFirst(), DONE);
        limited.ask(5, "anna", ALPHA, BETA);
        limited.decide();
        assertThat(kib_s(limited.copies().getLast())).isEqualTo(3072);
    }
}
