package io.millrace.submit.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.log.ProjectedRecord;
import io.millrace.submit.projection.UpdateReadModel;
import io.millrace.submit.projection.WaitForProjection;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes the log in batches and applies them to the read model, in order within each partition. It waits while the database is
 * unavailable. A record that cannot be projected while the database answers is dead-lettered, and the projection continues.
 */
@ApplicationScoped
class ProjectionConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(ProjectionConsumer.class);
    /** After the topics are created. */
    private static final int LATE = 5000;

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(100);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);
    private static final int TRIES = 3;
    /** The statements of a batch depend little on its size, so the records that follow a small batch are collected. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final int SMALL = 100;

    /** Requests to read files, and their answers, are not part of the read model (ADR 23). Each instance reads the locks for itself. */
    private static final Set<Topic> TOPICS =
            EnumSet.complementOf(EnumSet.of(Topic.FILE_REQUESTS, Topic.FILE_ANSWERS, Topic.LOCKS, Topic.NUMBERS));

    private static final Map<String, Object> CLIENT = Map.of(
            "partition.assignment.strategy",
            CooperativeStickyAssignor.class.getName(),
            // Partitions with remaining records would be left out of the next fetch, which may wait long.
            "max.poll.records",
            Integer.MAX_VALUE,
            // Of a batch.
            "fetch.max.bytes",
            1024 * 1024,
            "fetch.max.wait.ms",
            2_000,
            // After a crash, the partitions are reassigned after this time.
            "session.timeout.ms",
            8_000,
            "heartbeat.interval.ms",
            2_500,
            // Also the rebalance time-out: how long the group waits for members that were lost with the broker.
            "max.poll.interval.ms",
            20_000,
            "metadata.max.age.ms",
            30_000,
            // The thread for heartbeats wakes up this often.
            "retry.backoff.ms",
            500);

    private final KafkaSettings settings;
    private final LoggedClusters clusters;
    private final SeekToStoredOffsets start;
    private final UpdateReadModel projection;
    private final DeadLetterWriter deadLetters;
    private final ProjectionProgress progress;
    private final WaitForProjection waiting;
    private final MeterRegistry meters;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("projection").unstarted(this::run);
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private volatile boolean stopping;

    ProjectionConsumer(
            final KafkaSettings settings,
            final LoggedClusters clusters,
            final SeekToStoredOffsets start,
            final UpdateReadModel projection,
            final DeadLetterWriter deadLetters,
            final ProjectionProgress progress,
            final WaitForProjection waiting,
            final MeterRegistry meters) {
        this.settings = settings;
        this.clusters = clusters;
        this.start = start;
        this.projection = projection;
        this.deadLetters = deadLetters;
        this.progress = progress;
        this.waiting = waiting;
        this.meters = meters;
    }

    void start(@Observes @Priority(LATE) final StartupEvent event) {
        thread.start();
    }

    private void run() {
        while (!stopping) {
            try (KafkaConsumer<byte[], byte[]> opened =
                    Clients.openConsumer(Clients.consumer(settings.bootstrapServers(), settings.group(), CLIENT))) {
                consumer = opened;
                Set<ClusterId> of = clusters.read();
                opened.subscribe(LoggedClusters.topicNames(TOPICS, of), start.of(opened));
                while (!stopping) {
                    project(opened);
                    if (clusters.known() != of) {
                        of = clusters.known();
                        opened.subscribe(LoggedClusters.topicNames(TOPICS, of), start.of(opened));
                    }
                }
            } catch (KafkaException e) {
                if (!stopping) {
                    LOG.atWarn()
                            .addKeyValue("retryIn", RETRY_INTERVAL)
                            .addKeyValue("reason", reason(e))
                            .log("the log cannot be read");
                    sleep(RETRY_INTERVAL);
                }
            } catch (RuntimeException e) {
                if (!stopping) {
                    throw e; // ends the process
                }
            }
        }
    }

    /** An exception of the rebalance listener is the cause of the consumer's. */
    private static String reason(final KafkaException failure) {
        final Throwable cause = failure.getCause();
        return String.valueOf(cause == null ? failure.getMessage() : cause.getMessage());
    }

    private void project(final KafkaConsumer<byte[], byte[]> from) {
        final ConsumerRecords<byte[], byte[]> batch = from.poll(POLL);
        if (!batch.isEmpty()) {
            projectAll(batch);
        }
        progress.projectedUpTo(from::position);
        if (!batch.isEmpty() && batch.count() < SMALL) {
            waiting.pauseUnlessAwaited(PAUSE);
        }
    }

    private record Entry(ConsumerRecord<byte[], byte[]> raw, ProjectedRecord recorded) {}

    private void projectAll(final ConsumerRecords<byte[], byte[]> batch) {
        final List<Entry> entries = new ArrayList<>(batch.count());
        batch.forEach(raw -> entries.add(new Entry(raw, read(raw))));
        if (!applied(entries, 2)) {
            entries.forEach(this::applyAlone);
        }
        final List<ProjectedRecord> records =
                entries.stream().map(Entry::recorded).toList();
        waiting.projected(records.stream().map(ProjectedRecord::position).toList());
        meters.counter("millrace.projection.records").increment(batch.count());
    }

    /** A batch that fails twice while the database answers contains a record that cannot be projected. */
    private boolean applied(final List<Entry> entries, final int tries) {
        final List<ProjectedRecord> records =
                entries.stream().map(Entry::recorded).toList();
        Duration pause = INITIAL_BACKOFF;
        int failures = 0;
        while (failures < tries) {
            try {
                projection.apply(records);
                progress.clearFailure();
                return true;
            } catch (RuntimeException e) {
                if (progress.databaseAnswers()) {
                    failures++;
                    LOG.debug("a batch of {} records could not be projected", records.size(), e);
                } else {
                    progress.setFailure("the database does not answer: " + e.getMessage());
                    LOG.atWarn()
                            .addKeyValue("retryIn", pause)
                            .addKeyValue("reason", e.getMessage())
                            .log("database does not answer");
                }
                sleep(pause);
                pause = pause.multipliedBy(2).compareTo(MAX_BACKOFF) < 0 ? pause.multipliedBy(2) : MAX_BACKOFF;
            }
        }
        return false;
    }

    private void applyAlone(final Entry entry) {
        if (!applied(List.of(entry), TRIES)) {
            deadLetter(entry.raw(), "cannot be projected: " + reason(entry));
            final ProjectedRecord passed = ProjectedRecord.skipped(
                    entry.recorded().position(), entry.recorded().time());
            if (!applied(List.of(new Entry(entry.raw(), passed)), TRIES)) {
                throw new IllegalStateException(
                        "the projection cannot skip " + entry.recorded().position());
            }
        }
    }

    private String reason(final Entry entry) {
        try {
            projection.apply(List.of(entry.recorded()));
            return "succeeded at last";
        } catch (RuntimeException e) {
            Throwable root = e;
            while (root.getCause() != null && root.getCause() != root) {
                root = root.getCause();
            }
            return root.getClass().getSimpleName() + ": " + root.getMessage();
        }
    }

    private ProjectedRecord read(final ConsumerRecord<byte[], byte[]> raw) {
        final LogPosition at = new LogPosition(raw.topic(), raw.partition(), raw.offset());
        final Instant time = Instant.ofEpochMilli(raw.timestamp());
        try {
            final Optional<LogRecord> read = EventCodec.read(raw);
            if (read.isEmpty()) {
                meters.counter(
                                "millrace.projection.unknown.types",
                                "topic",
                                at.topic().topicName())
                        .increment();
                return ProjectedRecord.skipped(at, time);
            }
            return new ProjectedRecord(at, time, read.get().key(), read.get().event(), false);
        } catch (UnreadableMessageException e) {
            deadLetter(raw, String.valueOf(e.getMessage()));
            return ProjectedRecord.skipped(at, time);
        }
    }

    /** Retries until written: a record may be dead-lettered twice, but is never lost. */
    private void deadLetter(final ConsumerRecord<byte[], byte[]> raw, final String reason) {
        while (true) {
            try {
                deadLetters.write(raw, reason);
                return;
            } catch (IllegalStateException e) {
                progress.setFailure(String.valueOf(e.getMessage()));
                LOG.atWarn()
                        .addKeyValue("retryIn", MAX_BACKOFF)
                        .addKeyValue("reason", e.getMessage())
                        .log("dead letter not written");
                sleep(MAX_BACKOFF);
            }
        }
    }

    void stop(@Observes final ShutdownEvent event) throws InterruptedException {
        stopping = true;
        final KafkaConsumer<byte[], byte[]> open = consumer;
        if (open != null) {
            open.wakeup();
        }
        thread.join(MAX_BACKOFF);
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
