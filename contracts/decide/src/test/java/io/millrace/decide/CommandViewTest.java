package io.millrace.decide;

import static io.millrace.decide.Cluster.T0;
import static io.millrace.decide.Cluster.answer;
import static io.millrace.decide.Cluster.command;
import static io.millrace.decide.Cluster.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CommandViewTest {

    private static final Action START = new Action.Start(key(1));
    private static final Result DONE = new Result.Done(null, "started");
    private static final Result REFUSED = new Result.Refused(Refusal.STALE, "4 cores idle, 8 needed");

    private final CommandView view = new CommandView(Issuer.BACKFILL);
    private final Command start = command(START, 0);

    @Test
    void an_unanswered_command_is_assumed_and_its_decision_is_not_taken_again() {
        view.apply(start, CommandView.NOT_YET_KNOWN);
        assertThat(view.isUnanswered(START)).isTrue();
        assertThat(view.isUnanswered(new Action.Start(key(2)))).isFalse();
        assertThat(view.assumed()).containsExactly(start);

        view.apply(start, 7);
        assertThat(view.unanswered()).containsExactly(start);
        assertThat(view.assumed()).containsExactly(start);
    }

    @Test
    void of_another_issuers_answer_only_whether_it_was_done_is_remembered() {
        final CommandView quota = new CommandView(Issuer.QUOTA);
        quota.apply(answer(start, DONE));
        quota.apply(start, 7);
        assertThat(quota.unanswered()).isEmpty();
        assertThat(quota.assumed()).containsExactly(start);
        assertThat(quota.newest(START)).isEmpty();
        assertThat(quota.lastAnswer(START)).isEmpty();
        quota.forgetBefore(start.issuedAt().plus(CommandView.RETENTION).plusSeconds(1));
        assertThat(quota.assumed()).isEmpty();
    }

    @Test
    void begun_is_no_answer() {
        view.apply(start, 7);
        view.apply(answer(start, new Result.Begun()));
        assertThat(view.unanswered()).containsExactly(start);
        assertThat(view.nextId(START)).isEqualTo(start.id());
    }

    @Test
    void a_done_command_is_assumed_until_a_revision_includes_it() {
        view.apply(start, 7);
        view.apply(answer(start, DONE));
        assertThat(view.unanswered()).isEmpty();
        assertThat(view.assumed()).containsExactly(start);
        view.included(7);
        assertThat(view.assumed()).containsExactly(start);
        view.included(8);
        assertThat(view.assumed()).isEmpty();
        assertThat(view.lastAnswer(START)).contains(answer(start, DONE));
    }

    @Test
    void a_revision_that_already_includes_a_command_ends_the_assumption_before_its_answer_is_read() {
        view.apply(start, 7);
        view.included(8);
        assertThat(view.assumed()).isEmpty();
        assertThat(view.isUnanswered(START)).isTrue();
        view.apply(answer(start, DONE));
        assertThat(view.assumed()).isEmpty();
    }

    @Test
    void an_answer_read_before_its_command_counts_the_same() {
        view.apply(answer(start, DONE));
        view.apply(start, 7);
        assertThat(view.unanswered()).isEmpty();
        assertThat(view.assumed()).containsExactly(start);
        view.included(8);
        assertThat(view.assumed()).isEmpty();

        final Command other = command(new Action.Start(key(2)), 0);
        view.apply(answer(other, REFUSED));
        view.apply(other, 8);
        assertThat(view.unanswered()).isEmpty();
        assertThat(view.assumed()).isEmpty();
    }

    @Test
    void a_command_whose_offset_is_learned_after_the_revision_that_includes_it_is_no_longer_assumed() {
        view.apply(start, CommandView.NOT_YET_KNOWN);
        view.apply(answer(start, DONE));
        view.included(8);
        assertThat(view.assumed()).containsExactly(start);
        view.apply(start, 7);
        assertThat(view.assumed()).isEmpty();
    }

    @Test
    void a_refused_failed_or_unclear_command_is_no_longer_assumed_and_the_next_try_has_another_id() {
        int tries = 0;
        for (final Result result : new Result[] {REFUSED, new Result.Failed("x"), new Result.Unclear("y")}) {
            final Command again = command(START, tries);
            view.apply(again, 7 + tries);
            view.apply(answer(again, result));
            view.apply(answer(again, result));
            tries++;
            assertThat(view.assumed()).isEmpty();
            assertThat(view.isUnanswered(START)).isFalse();
            assertThat(view.nextId(START)).isEqualTo(command(START, tries).id());
        }
        assertThat(view.lastAnswer(START).orElseThrow().result()).isEqualTo(new Result.Unclear("y"));
    }

    @Test
    void an_expired_command_is_forgotten_and_so_are_old_answers() {
        view.apply(start, 7);
        view.forgetBefore(start.validUntil());
        assertThat(view.unanswered()).containsExactly(start);
        view.forgetBefore(start.validUntil().plusMillis(1));
        assertThat(view.unanswered()).isEmpty();
        assertThat(view.assumed()).isEmpty();

        final Command second = command(new Action.Start(key(2)), 0);
        view.apply(second, 8);
        view.apply(answer(second, DONE, T0.plusSeconds(5)));
        view.forgetBefore(T0.plusSeconds(5).plus(CommandView.RETENTION));
        assertThat(view.newest(second.action())).hasValue(0);
        view.forgetBefore(T0.plusSeconds(6).plus(CommandView.RETENTION));
        assertThat(view.newest(second.action())).isEmpty();
        assertThat(view.lastAnswer(second.action())).isEmpty();
        assertThat(view.assumed()).isEmpty();
    }

    @Test
    void each_of_several_commands_expires_at_its_own_time() {
        final Command later =
                command(new Action.Start(key(2)), 0, start.validUntil().plusSeconds(60));
        view.apply(later, 7);
        view.apply(start, 8);
        assertThat(view.forgetBefore(start.validUntil())).isFalse();
        assertThat(view.forgetBefore(start.validUntil().plusMillis(1))).isTrue();
        assertThat(view.unanswered()).containsExactly(later);
        assertThat(view.forgetBefore(later.validUntil())).isFalse();
        assertThat(view.forgetBefore(later.validUntil().plusMillis(1))).isTrue();
        assertThat(view.unanswered()).isEmpty();
    }

    @Test
    void forgetting_the_oldest_answer_brings_no_id_back_that_is_still_remembered() {
        for (int tries = 0; tries < 3; tries++) {
            view.apply(command(START, tries), 7 + tries);
            view.apply(answer(command(START, tries), new Result.Failed("x"), T0.plusSeconds(600L * tries)));
        }
        view.forgetBefore(T0.plusSeconds(1).plus(CommandView.RETENTION));
        assertThat(view.nextId(START)).isEqualTo(command(START, 3).id());
        view.apply(command(START, 3), 12);
        assertThat(view.isUnanswered(START)).isTrue();
    }

    @Test
    void an_old_answer_is_forgotten_even_if_it_was_read_after_a_newer_one() {
        view.apply(answer(command(START, 1), DONE, T0.plusSeconds(900)));
        view.apply(answer(start, new Result.Failed("x"), T0));
        view.apply(answer(command(new Action.Start(key(2)), 0), DONE, T0.plusSeconds(300)));

        view.forgetBefore(T0.plusSeconds(600).plus(CommandView.RETENTION));

        assertThat(view.nextId(START)).isEqualTo(command(START, 2).id());
        assertThat(view.setbacks(START)).isZero();
        assertThat(view.lastAnswer(new Action.Start(key(2)))).isEmpty();
        view.apply(start, 7);
        assertThat(view.unanswered()).as("its answer is not known any more").containsExactly(start);
    }

    @Test
    void commands_are_assumed_in_the_order_of_their_issue() {
        final Command hold = command(new Action.Hold(key(3)), 0);
        view.apply(start, 7);
        view.apply(hold, 8);
        view.apply(start, 7);
        assertThat(view.assumed()).containsExactly(start, hold);
        assertThat(Duration.between(start.issuedAt(), start.validUntil())).isLessThanOrEqualTo(CommandView.RETENTION);
    }

    @Test
    void a_command_that_has_begun_is_pending_for_as_long_as_it_runs() {
        view.apply(start, 7);
        assertThat(view.status(START)).isEqualTo(new CommandStatus.Open(start.validUntil()));
        view.apply(answer(start, new Result.Begun()));
        view.forgetBefore(T0.plus(CommandView.RETENTION.multipliedBy(5)));
        assertThat(view.status(START)).isEqualTo(new CommandStatus.Begun(T0.plusSeconds(5)));

        final Instant end = T0.plus(CommandView.RETENTION.multipliedBy(5));
        view.apply(answer(start, REFUSED, end));
        assertThat(view.status(START))
                .isEqualTo(new CommandStatus.Answered(
                        answer(start, REFUSED, end),
                        1,
                        end.plus(CommandView.RETENTION).plusMillis(1)));
        assertThat(view.status(START, 0)).isEqualTo(view.status(START));
        assertThat(view.status(START, 1)).isEqualTo(new CommandStatus.Unknown());
    }

    @Test
    void a_command_that_expired_unanswered_is_issued_again_with_its_id_and_not_with_an_earlier_one() {
        view.apply(answer(start, REFUSED));
        final Command second = command(START, 1);
        view.apply(second, 7);
        view.forgetBefore(second.validUntil().plusMillis(1));
        assertThat(view.status(START, 1)).isEqualTo(new CommandStatus.Unknown());
        assertThat(view.nextId(START)).isEqualTo(second.id());
        assertThat(view.nextId(new Action.Start(key(2)), 300_000))
                .isEqualTo(command(new Action.Start(key(2)), 300_000).id());

        view.forgetBefore(T0.plusSeconds(6).plus(CommandView.RETENTION));
        assertThat(view.newest(START)).isEmpty();
    }
}
