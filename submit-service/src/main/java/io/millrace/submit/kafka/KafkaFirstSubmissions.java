package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.log.LogFollower;
import io.millrace.model.GlobalJobId;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.FirstSubmissions;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.submission.SubmissionOffsets;
import io.millrace.submit.projection.ProjectedOffsets;
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
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the ids of {@code millrace.submissions}, without their content, from the stored offset of the projection on. */
@ApplicationScoped
class KafkaFirstSubmissions implements FirstSubmissions {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaFirstSubmissions.class);
    /** After the topics are created. */
    private static final int LATE = 5000;

    private static final Duration POLL = Duration.ofSeconds(1);

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
    private final LogFollower follower;
    private volatile @Nullable SubmissionOffsets known;
    private volatile @Nullable Admin admin;
    private long forgotten_ns = System.nanoTime();

    KafkaFirstSubmissions(final KafkaSettings kafka, final SubmitSettings settings, final ProjectedOffsets projected) {
        this.bootstrapServers = kafka.bootstrapServers();
        this.projected = projected;
        this.timeout = settings.projectionTimeout();
        this.follower = new LogFollower(
                "submissions",
                () -> Clients.consumer(bootstrapServers, "first-submissions", Map.of()),
                new FromStoredOffset());
    }

    void start(@Observes @Priority(LATE) final StartupEvent started) {
        admin = Clients.openAdmin(bootstrapServers, Map.of());
        follower.start();
    }

    void stop(@Observes final ShutdownEvent event) {
        follower.close();
        final Admin open = admin;
        if (open != null) {
            open.close(Duration.ZERO);
        }
    }

    @Override
    public long knownFrom() {
        final SubmissionOffsets offsets = known;
        return offsets == null ? UNKNOWN : offsets.begin();
    }

    @Override
    public Optional<LogPosition> find(final GlobalJobId job) {
        final SubmissionOffsets offsets = known;
        return offsets == null ? Optional.empty() : position(offsets.find(job));
    }

    private static Optional<LogPosition> position(final OptionalLong offset) {
        return offset.isEmpty()
                ? Optional.empty()
                : Optional.of(new LogPosition(SUBMISSIONS.topic(), SUBMISSIONS.partition(), offset.getAsLong()));
    }

    @Override
    public Optional<LogPosition> newest() {
        final SubmissionOffsets offsets = known;
        try {
            if (offsets != null && offsets.awaitEnd(endOfLog(), timeout)) {
                return position(offsets.newest());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("the broker does not answer with the end of {}", SUBMISSIONS, e);
        }
        throw new RequestRefused(
                RequestRefused.Kind.UNAVAILABLE, "the newest submissions cannot be read from the log; retry");
    }

    private long endOfLog() throws InterruptedException, ExecutionException, TimeoutException {
        return Objects.requireNonNull(admin)
                .listOffsets(
                        Map.of(SUBMISSIONS, OffsetSpec.latest()), new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .partitionResult(SUBMISSIONS)
                .get(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .offset();
    }

    @Override
    public boolean isFirst(final GlobalJobId job, final LogPosition submission, final long since) {
        final SubmissionOffsets offsets = known;
        try {
            return offsets != null && offsets.isFirst(job, submission.offset(), since, timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private final class FromStoredOffset implements LogFollower.Reader {

        @Override
        public void begin(final KafkaConsumer<byte[], byte[]> from) {
            from.assign(List.of(SUBMISSIONS));
            from.seek(SUBMISSIONS, offsets().end());
        }

        @Override
        public void read(final KafkaConsumer<byte[], byte[]> from) {
            final SubmissionOffsets offsets = offsets();
            forgetProjected(offsets);
            if (offsets.size() < MOST) {
                from.poll(POLL).forEach(record -> add(record, offsets));
                offsets.advance(from.position(SUBMISSIONS));
            } else {
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    private SubmissionOffsets offsets() {
        SubmissionOffsets offsets = known;
        if (offsets == null) {
            offsets = new SubmissionOffsets(storedOffset());
            known = offsets;
        }
        return offsets;
    }

    private static void add(final ConsumerRecord<byte[], byte[]> record, final SubmissionOffsets offsets) {
        final Header type = record.headers().lastHeader("ce_type");
        if (type != null && record.key() != null && Arrays.equals(SUBMITTED, type.value())) {
            offsets.add(new String(record.key(), StandardCharsets.UTF_8), record.offset());
        }
        offsets.passed(record.offset());
    }

    /** At most once a second. */
    private void forgetProjected(final SubmissionOffsets offsets) {
        if (offsets.size() > ENOUGH && System.nanoTime() - forgotten_ns > POLL.toNanos()) {
            forgotten_ns = System.nanoTime();
            offsets.forgetBefore(storedOffset());
        }
    }

    private long storedOffset() {
        try {
            return projected.next(SUBMISSIONS.topic(), SUBMISSIONS.partition());
        } catch (final RuntimeException e) {
            throw new KafkaException("the stored offset cannot be read: " + e.getMessage(), e);
        }
    }
}
