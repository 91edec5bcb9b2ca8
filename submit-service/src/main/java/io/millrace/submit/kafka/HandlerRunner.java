package io.millrace.submit.kafka;

import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.handlers.DeliveryWorker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one handler: a thread that reads the log and, on request, a thread that redelivers its dead letters. */
final class HandlerRunner implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HandlerRunner.class);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(2);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(15);

    private final String bootstrapServers;
    private final LoggedClusters clusters;
    private final DeliveryWorker worker;
    private final UndeliveredEvents undelivered;
    private final Thread reader;
    private final AtomicReference<@Nullable Thread> redelivery = new AtomicReference<>();
    private volatile boolean stopping;

    HandlerRunner(
            final String bootstrapServers,
            final DeliveryWorker worker,
            final DeadLetterWriter deadLetters,
            final LoggedClusters clusters) {
        this.clusters = clusters;
        this.bootstrapServers = bootstrapServers;
        this.worker = worker;
        this.undelivered = new UndeliveredEvents(deadLetters, worker.handler());
        this.reader = Thread.ofPlatform().daemon().name("handler-" + name()).unstarted(this::read);
    }

    void start() {
        reader.start();
    }

    String name() {
        return worker.handler().name();
    }

    DeliveryWorker worker() {
        return worker;
    }

    private void read() {
        while (!stopping) {
            try (HandlerConsumer log = new HandlerConsumer(bootstrapServers, worker, undelivered, clusters)) {
                log.step();
                worker.tracker().connected();
                while (!stopping) {
                    log.step();
                }
            } catch (RuntimeException e) {
                if (!stopping) {
                    worker.tracker().failed("the log cannot be read: " + e.getMessage());
                    LOG.atWarn()
                            .setCause(e)
                            .addKeyValue("handler", name())
                            .log("handler cannot read the log; retrying");
                    rest();
                }
            }
        }
    }

    private static void rest() {
        try {
            Thread.sleep(RETRY_INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @throws RequestRefused if a redelivery is running already */
    void redeliver() {
        final Thread again = Thread.ofPlatform()
                .daemon()
                .name("handler-" + name() + "-dead-letters")
                .unstarted(this::redeliverAll);
        if (!redelivery.compareAndSet(null, again)) {
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "a redelivery to '" + name() + "' is running already; wait until it ends");
        }
        again.start();
    }

    private void redeliverAll() {
        try {
            new DeadLetterRedelivery(bootstrapServers, worker, undelivered).run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stopping; the rest is delivered next time
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("handler", name()).log("redelivery of dead letters failed");
            worker.tracker().failed("redelivery of dead letters failed: " + e.getMessage());
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
            if (!reader.join(STOP_TIMEOUT)) {
                LOG.atWarn().addKeyValue("handler", name()).log("handler does not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
