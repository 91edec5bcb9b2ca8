package io.millrace.submit.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.UpdateReadModel;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.log.ProjectedRecord;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.reactive.messaging.annotations.Blocking;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.jboss.logging.Logger;

/**
 * Hands batches of the log to the projection, in the order of each partition, until it has taken them. A database that is away is
 * waited for; a message that alone cannot be projected while the database answers is put aside, and the rest goes on.
 */
@ApplicationScoped
class ProjectionConsumer {

    static final String CHANNEL = "log";

    private static final Logger LOG = Logger.getLogger(ProjectionConsumer.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final int TRIES = 3;

    private final UpdateReadModel projection;
    private final DeadLetterWriter deadLetters;
    private final ProjectionProgress progress;
    private final MeterRegistry meters;
    private volatile boolean stopping;

    ProjectionConsumer(
            final UpdateReadModel projection,
            final DeadLetterWriter deadLetters,
            final ProjectionProgress progress,
            final MeterRegistry meters) {
        this.projection = projection;
        this.deadLetters = deadLetters;
        this.progress = progress;
        this.meters = meters;
    }

    private record Entry(ConsumerRecord<byte[], byte[]> raw, ProjectedRecord recorded) {}

    @Incoming(CHANNEL)
    @Blocking("projection")
    void project(final ConsumerRecords<byte[], byte[]> batch) {
        progress.begun();
        final List<Entry> entries = new ArrayList<>(batch.count());
        batch.forEach(raw -> entries.add(new Entry(raw, read(raw))));
        if (!taken(entries, 2)) {
            entries.forEach(this::takeAlone);
        }
        progress.passed(entries.stream().map(Entry::recorded).toList());
        meters.counter("millrace.projection.records").increment(batch.count());
    }

    /** A batch that fails twice while the database answers holds a message that cannot be projected. */
    private boolean taken(final List<Entry> entries, final int tries) {
        final List<ProjectedRecord> records = entries.stream().map(Entry::recorded).toList();
        Duration pause = FIRST_PAUSE;
        int failures = 0;
        while (failures < tries) {
            try {
                projection.apply(records);
                progress.works();
                return true;
            } catch (RuntimeException e) {
                if (progress.databaseAnswers()) {
                    failures++;
                    LOG.debugf(e, "a batch of %d records could not be projected", records.size());
                } else {
                    progress.fails("the database does not take the projection: " + e.getMessage());
                    LOG.warnf("the database does not answer; trying again in %s: %s", pause, e.getMessage());
                }
                sleep(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
        return false;
    }

    private void takeAlone(final Entry entry) {
        if (!taken(List.of(entry), TRIES)) {
            bury(entry.raw(), "it cannot be projected: " + reason(entry));
            final ProjectedRecord passed =
                    ProjectedRecord.passed(entry.recorded().at(), entry.recorded().time());
            if (!taken(List.of(new Entry(entry.raw(), passed)), TRIES)) {
                throw new IllegalStateException(
                        "the projection cannot pass " + entry.recorded().at());
            }
        }
    }

    private String reason(final Entry entry) {
        try {
            projection.apply(List.of(entry.recorded()));
            return "it could in the end";
        } catch (RuntimeException e) {
            Throwable root = e;
            while (root.getCause() != null && root.getCause() != root) {
                root = root.getCause();
            }
            return root.getClass().getSimpleName() + ": " + root.getMessage();
        }
    }

    private ProjectedRecord read(final ConsumerRecord<byte[], byte[]> raw) {
        final LogPosition at = new LogPosition(Topic.named(raw.topic()), raw.partition(), raw.offset());
        final Instant time = Instant.ofEpochMilli(raw.timestamp());
        try {
            final Optional<LogRecord> read = EventCodec.read(raw);
            if (read.isEmpty()) {
                meters.counter("millrace.projection.unknown.types", "topic", raw.topic())
                        .increment();
                return ProjectedRecord.passed(at, time);
            }
            return new ProjectedRecord(at, time, read.get().key(), read.get().event(), false);
        } catch (UnreadableMessageException e) {
            bury(raw, String.valueOf(e.getMessage()));
            return ProjectedRecord.passed(at, time);
        }
    }

    /** Until it is written: a message may be put aside twice, never lost. */
    private void bury(final ConsumerRecord<byte[], byte[]> raw, final String reason) {
        while (true) {
            try {
                deadLetters.bury(raw, reason);
                return;
            } catch (IllegalStateException e) {
                progress.fails(String.valueOf(e.getMessage()));
                LOG.warnf("%s; trying again in %s", e.getMessage(), LONGEST_PAUSE);
                sleep(LONGEST_PAUSE);
            }
        }
    }

    void stop(@Observes final ShutdownEvent event) {
        stopping = true;
    }

    private void sleep(final Duration pause) {
        if (stopping) {
            throw new IllegalStateException("stopping; the batch is read again at the next start");
        }
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted; the batch is read again at the next start", e);
        }
    }
}
