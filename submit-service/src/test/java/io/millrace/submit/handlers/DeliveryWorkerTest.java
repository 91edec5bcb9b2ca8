package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.DeliveryRetries;
import io.millrace.submit.domain.handler.DeliveryRetries.OnFailure;
import io.millrace.submit.domain.handler.EventFilter;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerStatus.State;
import io.millrace.submit.domain.handler.HandlerTarget;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class DeliveryWorkerTest {

    private static final HandlerEvent EVENT = new HandlerEvent(Map.of("id", "1", "source", "s"), "{}");

    private final Deque<DeliveryResult> script = new ArrayDeque<>();
    private final List<String> deadLetters = new ArrayList<>();

    private DeliveryWorker worker(final int tries, final Duration pause, final OnFailure after) {
        final Handler handler = new Handler(
                "h",
                new HandlerTarget.Program(List.of("/bin/true"), null, Duration.ofSeconds(1)),
                new EventFilter(EventFilter.types("millrace.*"), Set.of(), Set.of()),
                new DeliveryRetries(tries, pause, pause, after),
                false,
                1);
        final Delivery delivery = event -> {
            synchronized (script) {
                return script.isEmpty() ? new DeliveryResult.Delivered() : script.removeFirst();
            }
        };
        return new DeliveryWorker(handler, delivery, new HandlerTracker(handler, Clock.systemUTC()), new Random(1));
    }

    @Test
    void an_event_is_retried_until_it_is_accepted() throws Exception {
        script.add(new DeliveryResult.Failed("down"));
        script.add(new DeliveryResult.Failed("still down"));
        final DeliveryWorker worker = worker(5, Duration.ofMillis(1), OnFailure.DEAD_LETTER);

        worker.deliver(EVENT, deadLetters::add);

        assertThat(worker.tracker().status())
                .matches(shown -> shown.delivered() == 1 && shown.failedAttempts() == 2 && shown.deadLettered() == 0)
                .matches(shown -> shown.state() == State.DELIVERING);
    }

    @Test
    void after_the_last_attempt_it_is_dead_lettered_with_the_reason() throws Exception {
        script.add(new DeliveryResult.Failed("down"));
        script.add(new DeliveryResult.Failed("refused"));
        final DeliveryWorker worker = worker(2, Duration.ofMillis(1), OnFailure.DEAD_LETTER);

        worker.deliver(EVENT, deadLetters::add);

        assertThat(deadLetters).containsExactly("after 2 attempts: refused");
        assertThat(worker.tracker().status().deadLettered()).isEqualTo(1);
    }

    @Test
    void a_rejected_event_is_not_retried() throws Exception {
        script.add(new DeliveryResult.Rejected("the receiver answered 415"));

        worker(5, Duration.ofMillis(1), OnFailure.PAUSE).deliver(EVENT, deadLetters::add);

        assertThat(deadLetters).containsExactly("the receiver answered 415");
    }

    @Test
    void a_handler_that_is_gone_is_paused_until_it_is_resumed() throws Exception {
        script.add(new DeliveryResult.Gone("gone"));
        final DeliveryWorker worker = worker(5, Duration.ofMillis(1), OnFailure.DEAD_LETTER);

        final CompletableFuture<Void> delivery = CompletableFuture.runAsync(() -> deliver(worker));
        await(worker, State.PAUSED);
        assertThat(delivery).isNotDone();
        worker.tracker().resume();
        delivery.join();

        assertThat(worker.tracker().status().delivered()).isEqualTo(1);
    }

    @Test
    void resuming_ends_a_long_back_off() throws Exception {
        script.add(new DeliveryResult.Failed("down"));
        final DeliveryWorker worker = worker(5, Duration.ofDays(1), OnFailure.DEAD_LETTER);

        final CompletableFuture<Void> delivery = CompletableFuture.runAsync(() -> deliver(worker));
        await(worker, State.FAILING);
        assertThat(worker.tracker().status().reason()).isEqualTo("down");
        while (!delivery.isDone()) {
            worker.tracker().resume(); // the first call may come before the back-off starts
            Thread.sleep(1);
        }

        assertThat(worker.tracker().status().delivered()).isEqualTo(1);
    }

    private void deliver(final DeliveryWorker worker) {
        try {
            worker.deliver(EVENT, deadLetters::add);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(final DeliveryWorker worker, final State state) throws InterruptedException {
        while (worker.tracker().status().state() != state) {
            Thread.sleep(1);
        }
    }
}
