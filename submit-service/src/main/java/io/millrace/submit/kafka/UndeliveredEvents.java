package io.millrace.submit.kafka;

import io.millrace.submit.domain.handler.Handler;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes events that a handler did not accept to the dead-letter topic of their topic, under the handler's name. */
final class UndeliveredEvents {

    private static final Logger LOG = LoggerFactory.getLogger(UndeliveredEvents.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final DeadLetterWriter deadLetters;
    private final Handler handler;

    UndeliveredEvents(final DeadLetterWriter deadLetters, final Handler handler) {
        this.deadLetters = deadLetters;
        this.handler = handler;
    }

    /** Retries until written: an event may be written twice, but is never lost. */
    void put(final ConsumerRecord<byte[], byte[]> record, final String reason) throws InterruptedException {
        while (true) {
            try {
                deadLetters.write(record, handler.reader(), reason);
                return;
            } catch (IllegalStateException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedException();
                }
                LOG.atWarn()
                        .addKeyValue("handler", handler.name())
                        .addKeyValue("retryIn", PAUSE)
                        .addKeyValue("reason", e.getMessage())
                        .log("dead letter not written");
                Thread.sleep(PAUSE);
            }
        }
    }
}
