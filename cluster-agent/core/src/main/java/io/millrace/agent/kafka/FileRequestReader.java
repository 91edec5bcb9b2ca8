package io.millrace.agent.kafka;

import io.millrace.agent.file.JobFiles;
import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.EventSink;
import io.millrace.log.LogFollower;
import io.millrace.log.LogRecord;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.file.FileAnswer;
import io.millrace.model.file.FileRequest;
import io.millrace.model.file.FileResult;
import io.millrace.model.protocol.Topic;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests to read files, apart from the commands of the agent: a request that is lost in a crash is repeated by the user, and two
 * answers do no harm. At most eight files are read at a time, three of one owner; further requests wait in a short queue or are
 * answered as busy.
 */
public final class FileRequestReader implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileRequestReader.class);

    private static final int AT_ONCE = 8;
    /** Reading waits for the file systems of the owner: one owner must not take all places. */
    private static final int OF_ONE_OWNER = 3;

    private static final int WAITING = 32;
    private static final Duration POLL = Duration.ofSeconds(5);

    private final ClusterId cluster;
    private final TopicPartition mine;
    private final JobFiles files;
    private final Clock clock;
    private final EventSink answers;
    private final ThreadPoolExecutor readers = new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofVirtual().factory());
    private final ConcurrentMap<UserName, Integer> open = new ConcurrentHashMap<>();
    private final LogFollower follower;

    public FileRequestReader(
            final String bootstrapServers,
            final Optional<Path> clientProperties,
            final ClusterId cluster,
            final JobFiles files,
            final Clock clock) {
        final Map<String, Object> client =
                clientProperties.map(ClientProperties::read).orElse(Map.of());
        this.cluster = cluster;
        this.mine = new TopicPartition(Topic.FILE_REQUESTS.topicName(cluster), 0);
        this.files = files;
        this.clock = clock;
        this.answers = new EventSink(bootstrapServers, "agent/" + cluster, clock, client);
        this.follower = new LogFollower(
                "requests for files",
                () -> Clients.consumer(bootstrapServers, "agent-" + cluster, client),
                new FromNowOn());
    }

    public void start() {
        follower.start();
    }

    /** Older requests have timed out. */
    private final class FromNowOn implements LogFollower.Reader {

        @Override
        public void begin(final KafkaConsumer<byte[], byte[]> from) {
            if (from.partitionsFor(mine.topic()).isEmpty()) {
                throw new KafkaException("the agent has not created topic '" + mine.topic() + "' yet");
            }
            from.assign(List.of(mine));
            from.seekToEnd(List.of(mine));
        }

        @Override
        public void read(final KafkaConsumer<byte[], byte[]> from) {
            from.poll(POLL).forEach(record -> request(record).ifPresent(FileRequestReader.this::accept));
        }
    }

    private Optional<FileRequest> request(final ConsumerRecord<byte[], byte[]> record) {
        try {
            return EventCodec.read(record)
                    .map(LogRecord::event)
                    .filter(FileRequest.class::isInstance)
                    .map(FileRequest.class::cast);
        } catch (final UnreadableMessageException e) {
            LOG.warn("cannot read a request for a file: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private void accept(final FileRequest request) {
        if (open.merge(request.owner(), 1, Integer::sum) > OF_ONE_OWNER) {
            over(request);
            answer(
                    request,
                    new FileResult.Busy("the agent of " + cluster + " is reading " + OF_ONE_OWNER + " files of user '"
                            + request.owner() + "' already; retry"));
            return;
        }
        try {
            readers.execute(() -> {
                try {
                    answer(request, read(request));
                } finally {
                    over(request);
                }
            });
        } catch (final RejectedExecutionException e) {
            over(request);
            answer(request, new FileResult.Busy("the agent of " + cluster + " is reading too many files; retry"));
        }
    }

    private void over(final FileRequest request) {
        open.computeIfPresent(request.owner(), (owner, count) -> count == 1 ? null : count - 1);
    }

    private FileResult read(final FileRequest request) {
        try {
            return files.read(request, clock.instant());
        } catch (final RuntimeException e) {
            LOG.atError().addKeyValue("jobId", request.job()).setCause(e).log("a file could not be read");
            return new FileResult.Busy("internal error in the agent of " + cluster + "; its log contains the cause");
        }
    }

    private void answer(final FileRequest request, final FileResult result) {
        answers.put(new FileAnswer(request.id(), cluster, result)).exceptionally(e -> {
            LOG.warn("an answer to a request for a file was not written: {}", e.getMessage());
            return null;
        });
    }

    @Override
    public void close() {
        readers.shutdownNow();
        follower.close();
        answers.close();
    }
}
