package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.submit.domain.handler.EventFilter;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.DeliveryRetries;
import io.millrace.submit.domain.handler.DeliveryRetries.OnFailure;
import io.millrace.submit.domain.handler.HandlerStatus.State;
import io.millrace.submit.domain.handler.HandlerTarget;
import io.millrace.submit.domain.handler.DeliveryResult;
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

    private static final HandlerEvent LETTER = new HandlerEvent(Map.of("id", "1", "source", "s"), "{}");

    private final Deque<DeliveryResult> script = new ArrayDeque<>();
    private final List<String> aside = new ArrayList<>();

    private DeliveryWorker courier(final int tries, final Duration pause, final OnFailure after) {
        final Handler handler = new Handler(
                "h",
                new HandlerTarget.Program(List.of("/bin/true"), null, Duration.ofSeconds(1)),
                new EventFilter(EventFilter.types("millrace.*"), Set.of(), Set.of()),
                new DeliveryRetries(tries, pause, pause, after),
                false,
                1);
        final Delivery delivery = letter -> {
            synchronized (script) {
                return script.isEmpty() ? new DeliveryResult.Delivered() : script.removeFirst();
            }
        };
        return new DeliveryWorker(handler, delivery, new HandlerTracker(handler, Clock.systemUTC()), new Random(1));
    }

    @Test
    void a_letter_is_tried_until_it_is_taken() throws Exception {
        script.add(new DeliveryResult.Failed("down"));
        script.add(new DeliveryResult.Failed("still down"));
        final DeliveryWorker courier = courier(5, Duration.ofMillis(1), OnFailure.DEAD_LETTER);

        courier.deliver(LETTER, aside::add);

        assertThat(courier.life().shown())
                .matches(shown -> shown.delivered() == 1 && shown.failedAttempts() == 2 && shown.deadLettered() == 0)
                .matches(shown -> shown.state() == State.DELIVERING);
    }

    @Test
    void after_the_last_try_it_is_put_aside_with_the_reason() throws Exception {
        script.add(new DeliveryResult.Failed("down"));
        script.add(new DeliveryResult.Failed("refused"));
        final DeliveryWorker courier = courier(2, Duration.ofMillis(1), OnFailure.DEAD_LETTER);

        courier.deliver(LETTER, aside::add);

        assertThat(aside).containsExactly("after 2 tries: refused");
        assertThat(courier.life().shown().deadLettered()).isEqualTo(1);
    }

    @Test
    void what_is_rejected_is_not_tried_again() throws Exception {
        script.add(new DeliveryResult.Rejected("the receiver answered 415"));

        courier(5, Duration.ofMillis(1), OnFailure.PAUSE).deliver(LETTER, aside::add);

        assertThat(aside).containsExactly("the receiver answered 415");
    }

    @Test
    void a_handler_that_is_gone_is_paused_until_it_is_resumed() throws Exception {
        script.add(new DeliveryResult.Gone("gone"));
        final DeliveryWorker courier = courier(5, Duration.ofMillis(1), OnFailure.DEAD_LETTER);

        final CompletableFuture<Void> delivery = CompletableFuture.runAsync(() -> deliver(courier));
        await(courier, State.PAUSED);
        assertThat(delivery).isNotDone();
        courier.life().resume();
        delivery.join();

        assertThat(courier.life().shown().delivered()).isEqualTo(1);
    }

    @Test
    void resuming_ends_a_pause_however_long() throws Exception {
        script.add(new DeliveryResult.Failed("down"));
        final DeliveryWorker courier = courier(5, Duration.ofDays(1), OnFailure.DEAD_LETTER);

        final CompletableFuture<Void> delivery = CompletableFuture.runAsync(() -> deliver(courier));
        await(courier, State.FAILING);
        assertThat(courier.life().shown().reason()).isEqualTo("down");
        while (!delivery.isDone()) {
            courier.life().resume(); // the first may come before the pause has begun
            Thread.sleep(1);
        }

        assertThat(courier.life().shown().delivered()).isEqualTo(1);
    }

    private void deliver(final DeliveryWorker courier) {
        try {
            courier.deliver(LETTER, aside::add);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(final DeliveryWorker courier, final State state) throws InterruptedException {
        while (courier.life().shown().state() != state) {
            Thread.sleep(1);
        }
    }
}
