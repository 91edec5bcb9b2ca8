package io.millrace.submit.kafka;

import io.millrace.submit.domain.handler.Handler;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jboss.logging.Logger;

/** Puts aside what a handler did not take: on the dead-letter topic of the event's own topic, under the handler's name. */
final class UndeliveredEvents {

    private static final Logger LOG = Logger.getLogger(UndeliveredEvents.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final DeadLetterWriter deadLetters;
    private final Handler handler;

    UndeliveredEvents(final DeadLetterWriter deadLetters, final Handler handler) {
        this.deadLetters = deadLetters;
        this.handler = handler;
    }

    /** Until it is written: put aside twice perhaps, lost never. */
    void put(final ConsumerRecord<byte[], byte[]> record, final String because) throws InterruptedException {
        while (true) {
            try {
                deadLetters.bury(record, handler.reader(), because);
                return;
            } catch (IllegalStateException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedException();
                }
                LOG.warnf("%s; trying again in %s: handler=%s", e.getMessage(), PAUSE, handler.name());
                Thread.sleep(PAUSE);
            }
        }
    }
}
