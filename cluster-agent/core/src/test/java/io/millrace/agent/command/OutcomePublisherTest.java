package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentMetrics;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.log.EventCodec;
import io.millrace.log.UnwritableEventException;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An outcome that cannot be written, or whose commit cannot be followed up, holds back no other. */
class OutcomePublisherTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final String HUGE = "x".repeat(EventCodec.MAX_RECORD_BYTES);

    private final WrittenRecords log = new WrittenRecords();
    private final AnsweredCommands answered = new AnsweredCommands();
    private final OutcomePublisher publisher =
            new OutcomePublisher(log, new AgentMetrics(new SimpleMeterRegistry()), answered);
    private final List<String> followedUp = new ArrayList<>();

    @Test
    void outcomes_that_can_be_written_are_one_transaction() {
        add(1, new Result.Begun());
        add(2, new Result.Failed("no such job"));
        publisher.publish();

        assertThat(log.transactions)
                .containsExactly(List.of(outcome(1, new Result.Begun()), outcome(2, new Result.Failed("no such job"))));
        assertThat(followedUp).containsExactly("1", "2");
        assertThat(answered.contains(command(2))).isTrue();
        assertThat(answered.contains(command(1))).isFalse();
    }

    @Test
    void an_answer_that_is_too_large_is_shortened_and_the_others_are_written_as_they_are() {
        add(1, new Result.Done(null, "held"));
        add(2, new Result.Failed(HUGE));
        add(3, new Result.Refused(Refusal.UNSUPPORTED, "no such capability"));
        publisher.publish();

        assertThat(log.results())
                .containsExactly(
                        new Result.Done(null, "held"),
                        new Result.Failed("x".repeat(1000) + "… (1048576 characters)"),
                        new Result.Refused(Refusal.UNSUPPORTED, "no such capability"));
        assertThat(followedUp).containsExactly("1", "2", "3");
        assertThat(answered.contains(command(2))).isTrue();

        publisher.publish();
        assertThat(log.results()).hasSize(3);
    }

    @Test
    void a_dry_run_that_is_too_large_has_failed() {
        add(1, Result.Done.dryRun("dry run", new DryRunResult(List.of("sbatch"), HUGE, List.of(), List.of())));
        publisher.publish();

        assertThat(log.results())
                .singleElement()
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("shorten the script"));
    }

    @Test
    void an_error_after_the_commit_does_not_keep_the_next_outcomes_from_being_followed_up() {
        publisher.add(outcome(1, new Result.Done(null, "submitted")), () -> {
            throw new IllegalArgumentException("a submitted job that cannot be expected");
        });
        add(2, new Result.Done(null, "held"));
        publisher.publish();

        assertThat(log.results()).hasSize(2);
        assertThat(followedUp).containsExactly("2");
        assertThat(answered.contains(command(1))).isTrue();
    }

    private void add(final int command, final Result result) {
        publisher.add(outcome(command, result), () -> followedUp.add(Integer.toString(command)));
    }

    private static CommandId command(final int number) {
        return CommandId.of("backfill:hold:alpha/" + number + "@2026-03-01T12:00:00Z:0");
    }

    private static Outcome outcome(final int number, final Result result) {
        return new Outcome(
                command(number),
                ClusterId.of("alpha"),
                Issuer.BACKFILL,
                "hold",
                "alpha/" + number + "@2026-03-01T12:00:00Z",
                NOON,
                result);
    }

    /** Writes records as the log does, and keeps their outcomes by transaction. */
    private static final class WrittenRecords implements AgentLog {

        private final List<List<Outcome>> transactions = new ArrayList<>();

        private List<Result> results() {
            return transactions.stream()
                    .flatMap(List::stream)
                    .map(Outcome::result)
                    .toList();
        }

        @Override
        public void commit(final List<Entry> entries) {
            final List<Outcome> outcomes = entries.stream()
                    .map(entry -> (Outcome) ((Entry.Put) entry).event())
                    .toList();
            try {
                outcomes.forEach(outcome -> new EventCodec("agent/alpha").write(outcome, NOON, 1));
            } catch (final UnwritableEventException e) {
                throw new Unwritable(e.getMessage(), e, Set.of());
            }
            transactions.add(outcomes);
        }

        @Override
        public ReplayedState open() {
            throw new AssertionError("not used");
        }

        @Override
        public List<Incoming> poll(final Duration patience) {
            throw new AssertionError("not used");
        }

        @Override
        public void wake() {}

        @Override
        public void close() {}
    }
}
