package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PolledValueTest {

    private final AtomicLong readings = new AtomicLong();

    private PolledValue<Long> polled(final Duration interval) {
        return new PolledValue<>(
                Uni.createFrom()
                        .item(readings::incrementAndGet)
                        .runSubscriptionOn(Infrastructure.getDefaultWorkerPool()),
                interval);
    }

    @Test
    void a_follower_that_leaves_while_it_subscribes_stops_no_other() throws Exception {
        final PolledValue<Long> polled = polled(Duration.ofMillis(1));
        try (ExecutorService others = Executors.newSingleThreadExecutor()) {
            for (int round = 0; round < 100; round++) {
                final Leaving leaving = new Leaving();
                final CountDownLatch served = new CountDownLatch(1);
                final Future<Cancellable> next = others.submit(() -> {
                    leaving.subscription.take().cancel();
                    return polled.follow().subscribe().with(value -> served.countDown());
                });
                polled.follow().subscribe().withSubscriber(leaving);
                next.get();
                served.await();
                next.get().cancel();
            }
        }
    }

    /** A follower that another thread cancels before its subscription is complete. */
    private static final class Leaving implements Flow.Subscriber<Long> {

        private final SynchronousQueue<Flow.Subscription> subscription = new SynchronousQueue<>();

        @Override
        public void onSubscribe(final Flow.Subscription given) {
            given.request(Long.MAX_VALUE);
            try {
                subscription.put(given);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onNext(final Long value) {}

        @Override
        public void onError(final Throwable failure) {}

        @Override
        public void onComplete() {}
    }

    @Test
    void followers_share_a_reading() throws Exception {
        final PolledValue<Long> polled = polled(Duration.ofHours(1));
        final long first = polled.recent().await().indefinitely();
        assertThat(polled.recent().await().indefinitely()).isEqualTo(first);
        assertThat(readings.get()).isEqualTo(1);
    }

    @Test
    void a_slow_follower_gets_later_values() throws Exception {
        final CountDownLatch values = new CountDownLatch(3);
        final Cancellable follower = polled(Duration.ofMillis(1))
                .follow()
                .onItem()
                .call(value -> Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(20)))
                .subscribe()
                .with(value -> values.countDown());
        assertThat(values.await(300, TimeUnit.SECONDS)).isTrue();
        follower.cancel();
    }
}
