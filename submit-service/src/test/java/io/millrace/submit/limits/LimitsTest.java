package io.millrace.submit.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.Attack;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LimitsTest {

    private final AtomicLong now = new AtomicLong();

    @Test
    void a_rate_allows_a_burst_then_its_rate_and_says_how_long_to_wait() {
        final Rates<String> rates = new Rates<>(10, Duration.ofSeconds(1), 20, now::get);

        for (int i = 0; i < 20; i++) {
            assertThat(rates.use("anna", 1)).isZero();
        }
        assertThat(rates.use("anna", 1)).isEqualTo(Duration.ofMillis(100));
        now.addAndGet(Duration.ofMillis(100).toNanos());
        assertThat(rates.use("anna", 1)).isZero();
        assertThat(rates.use("anna", 1)).isPositive();
        now.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(rates.use("anna", 20)).as("no more than a burst is saved").isZero();
        assertThat(rates.use("anna", 1)).isPositive();
    }

    @Test
    void more_than_a_burst_at_once_is_never_allowed_and_uses_nothing() {
        final Rates<String> rates = new Rates<>(10, Duration.ofSeconds(1), 20, now::get);

        assertThat(rates.use("anna", 21)).isPositive();
        assertThat(rates.use("anna", 20)).isZero();
    }

    @Attack("one user uses up the rate of another user")
    @Test
    void users_have_rates_of_their_own() {
        final Rates<String> rates = new Rates<>(10, Duration.ofSeconds(1), 20, now::get);

        for (int i = 0; i < 1_000; i++) {
            rates.use("mallory", 1);
        }
        assertThat(rates.use("anna", 20)).isZero();
    }

    /** At most burst + rate x time in any run of requests, whatever the times between them. */
    @Test
    void no_sequence_of_requests_gets_more_than_the_rate() {
        final Random random = new Random(12);
        for (int round = 0; round < 50; round++) {
            final Rates<String> rates = new Rates<>(10, Duration.ofSeconds(1), 20, now::get);
            final long begin = now.get();
            long used = 0;
            for (int i = 0; i < 500; i++) {
                now.addAndGet(random.nextInt(200_000_000));
                final int units = 1 + random.nextInt(5);
                used += rates.use("anna", units).isZero() ? units : 0;
                assertThat(used).isLessThanOrEqualTo(20 + (now.get() - begin) / 100_000_000 + 1);
            }
        }
    }

    @Attack("one user takes all places of requests that wait")
    @Test
    void places_are_limited_for_each_and_for_all() {
        final Places<String> places = new Places<>(2, 3);

        assertThat(places.enter("mallory")).isTrue();
        assertThat(places.enter("mallory")).isTrue();
        assertThat(places.enter("mallory")).isFalse();
        assertThat(places.enter("anna")).isTrue();
        assertThat(places.enter("bob")).as("all places are taken").isFalse();
        places.leave("mallory");
        assertThat(places.enter("bob")).isTrue();
    }

    @Attack("a flood of requests of one user delays the requests of another user")
    @Test
    void requests_of_a_user_wait_for_this_user_only_and_in_order() {
        final FairQueue<String> queue = new FairQueue<>(1, 2);
        final List<String> begun = new ArrayList<>();

        assertThat(queue.enter("mallory", () -> begun.add("m1"))).isTrue();
        assertThat(queue.enter("mallory", () -> begun.add("m2"))).isTrue();
        assertThat(queue.enter("mallory", () -> begun.add("m3"))).isTrue();
        assertThat(queue.enter("mallory", () -> begun.add("m4")))
                .as("its queue is full")
                .isFalse();
        assertThat(queue.enter("anna", () -> begun.add("a1"))).isTrue();
        assertThat(begun).containsExactly("m1", "a1");
        queue.left("mallory");
        queue.left("mallory");
        queue.left("mallory");
        assertThat(begun).containsExactly("m1", "a1", "m2", "m3");
        assertThat(queue.enter("mallory", () -> begun.add("m5"))).isTrue();
        assertThat(begun).endsWith("m5");
    }

    @Test
    void any_sequence_runs_at_most_the_limit_and_loses_nothing() {
        final Random random = new Random(36);
        final FairQueue<Integer> queue = new FairQueue<>(3, 1_000);
        final Map<Integer, Deque<Integer>> running = new HashMap<>();
        int entered = 0;
        int begun = 0;
        for (int i = 0; i < 5_000; i++) {
            final int user = random.nextInt(4);
            final Deque<Integer> mine = running.computeIfAbsent(user, u -> new ArrayDeque<>());
            if (random.nextInt(3) > 0 || mine.isEmpty()) {
                final int number = i;
                entered += queue.enter(user, () -> mine.add(number)) ? 1 : 0;
            } else {
                mine.poll();
                begun++;
                queue.left(user);
            }
            assertThat(mine).hasSizeLessThanOrEqualTo(3);
        }
        for (final Map.Entry<Integer, Deque<Integer>> user : running.entrySet()) {
            while (user.getValue().poll() != null) {
                begun++;
                queue.left(user.getKey());
            }
        }
        assertThat(begun).isEqualTo(entered);
    }
}
