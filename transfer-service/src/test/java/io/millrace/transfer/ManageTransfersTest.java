package io.millrace.transfer;

import static io.millrace.transfer.domain.World.ALPHA;
import static io.millrace.transfer.domain.World.BETA;
import static io.millrace.transfer.domain.World.GAMMA;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.CopyProgress;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState.Cancelled;
import io.millrace.model.transfer.TransferState.Copying;
import io.millrace.model.transfer.TransferState.Failed;
import io.millrace.model.transfer.TransferState.Held;
import io.millrace.model.transfer.TransferState.Planned;
import io.millrace.model.transfer.TransferState.Verified;
import io.millrace.transfer.domain.TransferPolicy;
import io.millrace.transfer.domain.World;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ManageTransfersTest {

    private static final Result DONE = new Result.Done(null, "12 files, 3 MiB, sha256 ab");
    private static final Result FAILED = new Result.Failed("rsync: connection reset");

    private final World world = new World(TransferPolicy.DEFAULT);

    @BeforeEach
    void everything_is_available() {
        world.heartbeat(ALPHA, BETA, GAMMA);
    }

    @AfterEach
    void a_restart_publishes_nothing() {
        world.decide();
        world.restart();
        assertThat(world.decide()).isEmpty();
    }

    private Command copy(final int n) {
        world.ask(n, ALPHA, BETA);
        world.decide();
        return world.copies().getLast();
    }

    private void later(final Duration time) {
        world.pass(time);
        world.heartbeat(ALPHA, BETA, GAMMA);
        world.decide();
    }

    private void unwanted(final int n) {
        world.say(new Request.TransferCancelRequested(World.id(n), "the job is stopped", world.now));
        world.decide();
    }

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
        world.ask(1, "anna", ALPHA, BETA);
        world.ask(2, "bob", BETA, ALPHA);
        world.ask(3, "carl", ALPHA, BETA);
        world.ask(4, "dora", ALPHA, BETA);
        world.ask(5, "dora", ALPHA, GAMMA);
        world.decide();
        assertThat(world.copies()).hasSize(4);
        assertThat(world.state(4)).isEqualTo(new Planned(0, "waits for one of the 3 slots between alpha and beta"));
        world.answer(world.copies().getFirst(), DONE);
        world.decide();
        assertThat(world.state(4)).isEqualTo(new Copying(0));
    }

    @Test
    void the_limit_per_receiver_counts_all_sources() {
        for (int n = 1; n <= 3; n++) {
            world.ask(2 * n, "user" + n, ALPHA, BETA);
            world.ask(2 * n + 1, "user" + n, GAMMA, BETA);
        }
        world.decide();
        assertThat(world.copies()).hasSize(5);
        assertThat(world.state(7)).isEqualTo(new Planned(0, "waits for one of the 5 slots to beta"));
    }

    @Test
    void the_last_slot_is_for_other_users_so_that_they_do_not_wait_behind_a_terabyte() {
        for (int n = 1; n <= 9; n++) {
            world.ask(n, "anna", ALPHA, BETA);
        }
        world.decide();
        assertThat(world.copies()).hasSize(2);
        assertThat(world.state(3))
                .isEqualTo(new Planned(
                        0,
                        "waits for another copy of user 'anna': the last of the 3 slots between alpha and beta is for"
                                + " other users"));
        world.ask(10, "bob", ALPHA, BETA);
        world.decide();
        assertThat(world.state(10)).isEqualTo(new Copying(0));
    }

    @Test
    void a_free_slot_goes_to_the_user_with_the_fewest_copies_and_then_to_the_oldest_transfer() {
        for (int n = 1; n <= 6; n++) {
            world.ask(n, "anna", ALPHA, BETA);
        }
        world.ask(7, "bob", ALPHA, BETA);
        world.ask(8, "bob", ALPHA, BETA);
        world.decide();
        assertThat(started()).containsExactly(World.id(1), World.id(7), World.id(2));
        world.answer(world.copies().get(1), DONE);
        world.decide();
        assertThat(started()).containsExactly(World.id(1), World.id(7), World.id(2), World.id(8));
    }

    private List<TransferId> started() {
        return world.copies().stream()
                .map(command -> ((Action.CopyTree) command.action()).transfer())
                .toList();
    }

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

    @Test
    void a_transfer_is_cancelled_before_it_starts() {
        world.pass(Duration.ofMinutes(2));
        world.ask(1, ALPHA, BETA);
        world.decide();
        unwanted(1);
        assertThat(world.state(1)).isEqualTo(new Cancelled("the job is stopped"));
    }

    private static int kib_s(final Command copy) {
        return Objects.requireNonNull(((Action.CopyTree) copy.action()).bandwidthKibPerSecond());
    }

    @Test
    void copies_share_the_bandwidth_of_their_link_and_of_all_links() {
        final TransferPolicy usual = TransferPolicy.DEFAULT;
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

    @Test
    void stopped_while_it_is_copied() {
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
