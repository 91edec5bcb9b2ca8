package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.array.ArrayIndices;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SingleStartsTest {

    private static final Answer<Accepted> STARTED = Answer.ok(new Accepted("started"));

    private static Answer<Accepted> trouble(final Answer.Kind kind) {
        return Answer.trouble(kind, "no");
    }

    @Test
    void several_tasks_start_at_the_same_time() {
        // Each start waits until three others have begun.
        final CyclicBarrier together = new CyclicBarrier(4);
        final StartedTasks all = SingleStarts.of("1-8", "1-8", 4, task -> {
                    try {
                        together.await();
                    } catch (final Exception e) {
                        throw new IllegalStateException(e);
                    }
                    return STARTED;
                })
                .get();

        assertThat(all.indices()).isEqualTo("1-8");
    }

    @Test
    void after_a_failure_the_answer_names_the_started_tasks_and_no_other_task_starts() {
        final Queue<Integer> tried = new ConcurrentLinkedQueue<>();
        final StartedTasks some = SingleStarts.of("1-9", "1-9", 1, task -> {
                    tried.add(task);
                    return task == 4 ? trouble(Answer.Kind.DOES_NOT_FIT) : STARTED;
                })
                .get();

        assertThat(some.indices()).isEqualTo("1-3");
        assertThat(some.detail()).isEqualTo("started tasks 1-3; not tasks 4-9: no");
        assertThat(tried).containsExactly(1, 2, 3, 4);
    }

    @Test
    void if_the_effect_of_one_start_is_unknown_so_is_that_of_the_command() {
        final Answer<StartedTasks> answer =
                SingleStarts.of("1-4", "1-4", 1, task -> task == 3 ? trouble(Answer.Kind.TIMEOUT) : STARTED);

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.TIMEOUT));
    }

    @Test
    void whatever_fails_no_task_starts_twice_and_the_answer_is_what_happened() {
        for (int seed = 0; seed < 300; seed++) {
            final Random random = new Random(seed);
            final int tasks = 1 + random.nextInt(70);
            final int together = 1 + random.nextInt(6);
            final Set<Integer> refused = new HashSet<>(
                    random.ints(random.nextInt(3), 1, tasks + 1).boxed().toList());
            final Queue<Integer> started = new ConcurrentLinkedQueue<>();
            final AtomicInteger busy = new AtomicInteger();
            final AtomicInteger most = new AtomicInteger();
            final String all =
                    ArrayIndices.write(IntStream.rangeClosed(1, tasks).boxed().toList());
            final Answer<StartedTasks> answer = SingleStarts.of(all, all, together, task -> {
                most.accumulateAndGet(busy.incrementAndGet(), Math::max);
                Thread.yield();
                busy.decrementAndGet();
                if (refused.contains(task)) {
                    return trouble(Answer.Kind.WRONG_STATE);
                }
                started.add(task);
                return STARTED;
            });

            final List<Integer> named = answer instanceof Answer.Ok<StartedTasks> ok
                    ? ArrayIndices.read(ok.value().indices()).boxed().toList()
                    : List.of();
            assertThat(started).as("seed %d", seed).doesNotHaveDuplicates();
            assertThat(named)
                    .as("seed %d", seed)
                    .isEqualTo(started.stream().sorted().toList());
            assertThat(most.get()).isLessThanOrEqualTo(together);
        }
    }
}
