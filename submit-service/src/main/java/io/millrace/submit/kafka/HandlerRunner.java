package io.millrace.submit.kafka;

import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.handlers.DeliveryWorker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A handler at work: one thread that reads for it and, when told, one that brings its dead letters again. */
final class HandlerRunner implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(HandlerRunner.class);
    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(2);
    private static final Duration TO_STOP = Duration.ofSeconds(15);

    private final String bootstrapServers;
    private final DeliveryWorker courier;
    private final UndeliveredEvents undeliverable;
    private final Thread reader;
    private final AtomicReference<@Nullable Thread> redelivery = new AtomicReference<>();
    private volatile boolean stopping;

    HandlerRunner(final String bootstrapServers, final DeliveryWorker courier, final DeadLetterWriter deadLetters) {
        this.bootstrapServers = bootstrapServers;
        this.courier = courier;
        this.undeliverable = new UndeliveredEvents(deadLetters, courier.handler());
        this.reader = Thread.ofPlatform().daemon().name("handler-" + name()).unstarted(this::read);
    }

    void start() {
        reader.start();
    }

    String name() {
        return courier.handler().name();
    }

    DeliveryWorker courier() {
        return courier;
    }

    private void read() {
        while (!stopping) {
            try (HandlerConsumer log = new HandlerConsumer(bootstrapServers, courier, undeliverable)) {
                log.step();
                courier.life().follows();
                while (!stopping) {
                    log.step();
                }
            } catch (RuntimeException e) {
                if (!stopping) {
                    courier.life().failed("the log cannot be followed: " + e.getMessage());
                    LOG.warnf(e, "a handler's events cannot be followed; trying again: handler=%s", name());
                    rest();
                }
            }
        }
    }

    private static void rest() {
        try {
            Thread.sleep(AFTER_TROUBLE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @throws RequestRefused if it is at it already */
    void redeliver() {
        final Thread again = Thread.ofPlatform()
                .daemon()
                .name("handler-" + name() + "-dead-letters")
                .unstarted(this::bringAgain);
        if (!redelivery.compareAndSet(null, again)) {
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "dead letters of '" + name() + "' are being delivered already: wait for them");
        }
        again.start();
    }

    private void bringAgain() {
        try {
            new DeadLetterRedelivery(bootstrapServers, courier, undeliverable).run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // told to stop; the rest waits for the next time
        } catch (RuntimeException e) {
            LOG.warnf(e, "dead letters could not all be delivered: handler=%s", name());
            courier.life().failed("dead letters could not all be delivered: " + e.getMessage());
        } finally {
            redelivery.set(null);
        }
    }

    @Override
    public void close() {
        stopping = true;
        final Thread again = redelivery.get();
        if (again != null) {
            again.interrupt();
        }
        try {
            if (!reader.join(TO_STOP)) {
                LOG.warnf("a handler does not stop: handler=%s", name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
