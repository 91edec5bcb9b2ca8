package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CommandLanesTest {

    private static final ClusterId CLUSTER = ClusterId.of("alpha");
    private static final Optional<Result> UNKNOWN = Optional.empty();

    @Test
    void commands_about_different_jobs_are_executed_at_the_same_time() {
        final CyclicBarrier all = new CyclicBarrier(4);
        final List<Command> commands =
                IntStream.rangeClosed(1, 4).mapToObj(CommandLanesTest::release).toList();

        final Map<CommandId, Optional<Result>> results = new CommandLanes(4)
                .execute(
                        commands,
                        command -> {
                            await(all);
                            return UNKNOWN;
                        },
                        () -> false);

        assertThat(results.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        commands.stream().map(Command::id).toList());
    }

    @Test
    void commands_about_one_job_are_executed_in_their_order() {
        final List<CommandId> executed = Collections.synchronizedList(new ArrayList<>());
        final List<Command> commands = IntStream.rangeClosed(1, 5)
                .boxed()
                .flatMap(job -> List.of(release(job), start(job)).stream())
                .toList();

        new CommandLanes(3)
                .execute(
                        commands,
                        command -> {
                            executed.add(command.id());
                            return UNKNOWN;
                        },
                        () -> false);

        assertThat(executed).hasSize(10);
        IntStream.rangeClosed(1, 5)
                .forEach(job -> assertThat(executed)
                        .containsSubsequence(release(job).id(), start(job).id()));
    }

    @Test
    void at_most_so_many_are_executed_at_the_same_time() {
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();

        new CommandLanes(2)
                .execute(
                        IntStream.rangeClosed(1, 50)
                                .mapToObj(CommandLanesTest::release)
                                .toList(),
                        command -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            running.decrementAndGet();
                            return UNKNOWN;
                        },
                        () -> false);

        assertThat(most.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void a_command_that_is_late_and_those_after_it_about_the_same_job_are_not_executed() {
        final List<Boolean> late = new ArrayList<>(List.of(false, true, true));

        final Map<CommandId, Optional<Result>> results = new CommandLanes(1)
                .execute(List.of(release(1), release(2), start(2), start(1)), command -> UNKNOWN, () -> late.remove(0));

        // The start of job 1 and the release of job 2 are late; the start of job 2 is not even asked about.
        assertThat(results).containsOnlyKeys(release(1).id());
        assertThat(late).isEmpty();
    }

    @Test
    void an_error_of_one_command_is_thrown_after_the_others_have_ended() {
        final AtomicInteger ended = new AtomicInteger();

        assertThatThrownBy(() -> new CommandLanes(4)
                        .execute(
                                IntStream.rangeClosed(1, 4)
                                        .mapToObj(CommandLanesTest::release)
                                        .toList(),
                                command -> {
                                    ended.incrementAndGet();
                                    if (command.equals(release(2))) {
                                        throw new OutOfMemoryError("test");
                                    }
                                    return UNKNOWN;
                                },
                                () -> false))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(ended).hasValue(4);
    }

    private static void await(final CyclicBarrier all) {
        try {
            all.await(5, TimeUnit.MINUTES);
        } catch (final Exception e) {
            throw new AssertionError("the commands were not executed at the same time", e);
        }
    }

    private static Command release(final int job) {
        return command(Issuer.MIGRATION, new Action.Release(key(job)));
    }

    private static Command start(final int job) {
        return command(Issuer.BACKFILL, new Action.Start(key(job), null, null));
    }

    private static Command command(final Issuer issuer, final Action action) {
        return new Command(
                Command.idOf(issuer, action, 0),
                CLUSTER,
                issuer,
                1,
                Instant.EPOCH,
                Instant.EPOCH.plusSeconds(600),
                List.of(),
                action,
                "test");
    }

    private static JobKey key(final int job) {
        return new JobKey(new JobId(CLUSTER, Integer.toString(job)), Instant.EPOCH);
    }
}
