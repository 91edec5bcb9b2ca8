package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.model.GlobalJobId;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.FirstSubmissions;
import io.millrace.submit.ProjectedOffsets;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.log.LogPosition;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the ids of {@code millrace.submissions}, without their content, from the stored offset of the projection on. */
@ApplicationScoped
class KafkaFirstSubmissions implements FirstSubmissions {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaFirstSubmissions.class);
    /** After the topics are created. */
    private static final int LATE = 5000;

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    /** Ids beyond this number are forgotten when the read model contains them. */
    private static final int ENOUGH = 10_000;
    /** Limits the memory while the read model is rebuilt. */
    private static final int MOST = 200_000;

    private static final long UNKNOWN = -1;
    private static final TopicPartition SUBMISSIONS = new TopicPartition(Topic.SUBMISSIONS.topicName(), 0);
    private static final byte[] SUBMITTED = EventType.JOB_SUBMITTED.typeName().getBytes(StandardCharsets.UTF_8);

    private final String bootstrapServers;
    private final ProjectedOffsets projected;
    private final Duration timeout;
    private final Thread reader =
            Thread.ofPlatform().daemon().name("first-submissions").unstarted(this::read);
    private final Map<String, Long> offsets = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private long next;
    private long forgotten_ns = System.nanoTime();
    private volatile long knownFrom = UNKNOWN;
    private volatile boolean stopping;

    KafkaFirstSubmissions(final KafkaSettings kafka, final SubmitSettings settings, final ProjectedOffsets projected) {
        this.bootstrapServers = kafka.bootstrapServers();
        this.projected = projected;
        this.timeout = settings.projectionTimeout();
    }

    void start(@Observes @Priority(LATE) final StartupEvent started) {
        reader.start();
    }

    void stop(@Observes final ShutdownEvent event) {
        stopping = true;
    }

    @Override
    public long knownFrom() {
        return knownFrom;
    }

    @Override
    public Optional<LogPosition> find(final GlobalJobId job) {
        return Optional.ofNullable(offsets.get(job.value())).map(KafkaFirstSubmissions::position);
    }

    @Override
    public boolean isFirst(final GlobalJobId job, final LogPosition submission, final long since) {
        final boolean isFirst =
                isRead(submission.offset()) && Long.valueOf(submission.offset()).equals(offsets.get(job.value()));
        return isFirst
                && since != UNKNOWN
                && since == knownFrom; // read last: an earlier submission may be forgotten meanwhile
    }

    private boolean isRead(final long offset) {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (next <= offset && left > 0) {
                left = advanced.awaitNanos(left);
            }
            return next > offset;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        while (!stopping) {
            try (KafkaConsumer<byte[], byte[]> consumer =
                    Clients.openConsumer(Clients.consumer(bootstrapServers, "first-submissions", Map.of()))) {
                consumer.assign(List.of(SUBMISSIONS));
                if (knownFrom == UNKNOWN) {
                    advance(storedOffset());
                    knownFrom = next;
                }
                consumer.seek(SUBMISSIONS, next);
                while (!stopping) {
                    forgetProjected();
                    if (offsets.size() < MOST) {
                        consumer.poll(POLL).forEach(this::add);
                        advance(consumer.position(SUBMISSIONS));
                    } else {
                        rest();
                    }
                }
            } catch (RuntimeException e) {
                if (!stopping) {
                    LOG.atWarn()
                            .addKeyValue("retryIn", RETRY_INTERVAL)
                            .addKeyValue("reason", e.getMessage())
                            .log("submissions cannot be read");
                    rest();
                }
            }
        }
    }

    private void add(final ConsumerRecord<byte[], byte[]> record) {
        final Header type = record.headers().lastHeader("ce_type");
        if (type != null && record.key() != null && Arrays.equals(SUBMITTED, type.value())) {
            offsets.putIfAbsent(new String(record.key(), StandardCharsets.UTF_8), record.offset());
        }
    }

    private void advance(final long position) {
        lock.lock();
        try {
            next = position;
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets ids that the read model contains, at most once a second. */
    private void forgetProjected() {
        if (offsets.size() > ENOUGH && System.nanoTime() - forgotten_ns > POLL.toNanos()) {
            forgotten_ns = System.nanoTime();
            final long stored = storedOffset();
            knownFrom = stored; // first, see isFirst
            offsets.values().removeIf(offset -> offset < stored);
        }
    }

    private long storedOffset() {
        return projected.next(Topic.SUBMISSIONS, SUBMISSIONS.partition());
    }

    private static LogPosition position(final long offset) {
        return new LogPosition(Topic.SUBMISSIONS, SUBMISSIONS.partition(), offset);
    }

    private static void rest() {
        try {
            Thread.sleep(RETRY_INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
