package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.ClusterId;
import io.millrace.model.file.FileAnswer;
import io.millrace.model.file.FileResult;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.files.FileAnswers;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every instance reads all answers from now on, and keeps those that its own requests wait for. */
@ApplicationScoped
class KafkaFileAnswers implements FileAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaFileAnswers.class);
    /** After the topics are created. */
    private static final int LATER = 100;

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final KafkaSettings settings;
    private final LoggedClusters clusters;
    /** Where the last consumer ended; empty after trouble. */
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    private final Map<Expected, CompletableFuture<FileResult>> expected = new ConcurrentHashMap<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("file answers").unstarted(this::run);
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private volatile boolean reading;
    private volatile boolean stopping;

    /** An answer counts only if it comes from the cluster that was asked. */
    private record Expected(ClusterId cluster, String request) {}

    KafkaFileAnswers(final KafkaSettings settings, final LoggedClusters clusters) {
        this.settings = settings;
        this.clusters = clusters;
    }

    void start(@Observes @Priority(LATER) final StartupEvent event) {
        thread.start();
    }

    @Override
    public CompletableFuture<FileResult> expect(final ClusterId cluster, final String request) {
        if (!reading) {
            throw new RequestRefused(RequestRefused.Kind.UNAVAILABLE, "the log does not answer; repeat the request");
        }
        return expected.computeIfAbsent(new Expected(cluster, request), id -> new CompletableFuture<>());
    }

    @Override
    public void forget(final ClusterId cluster, final String request) {
        expected.remove(new Expected(cluster, request));
    }

    private void run() {
        while (!stopping) {
            try (KafkaConsumer<byte[], byte[]> next = Clients.openTail(
                    Clients.consumer(settings.bootstrapServers(), "millrace-submit-files", Map.of()))) {
                consumer = next;
                read(next);
            } catch (WakeupException e) {
                LOG.debug("stopped");
            } catch (KafkaException e) {
                LOG.atWarn().addKeyValue("reason", e.getMessage()).log("answers about files cannot be read; retrying");
                reading = false;
                positions.clear();
                pause();
            }
        }
    }

    /** Until the clusters change. A new consumer then fetches at once, where this one would wait for its last fetch. */
    private void read(final KafkaConsumer<byte[], byte[]> from) {
        final Set<ClusterId> of = reading ? clusters.known() : clusters.read();
        final List<TopicPartition> all = of.stream()
                .map(cluster -> new TopicPartition(Topic.FILE_ANSWERS.topicName(cluster), 0))
                .toList();
        from.assign(all);
        if (reading) {
            all.forEach(partition -> from.seek(partition, positions.getOrDefault(partition, 0L)));
        } else {
            from.seekToEnd(all);
            all.forEach(from::position); // looks the end up now, before the first request
        }
        reading = true;
        while (!stopping && clusters.known() == of) {
            if (all.isEmpty()) {
                pause();
            } else {
                from.poll(POLL).forEach(this::answered);
            }
        }
        all.forEach(partition -> positions.put(partition, from.position(partition)));
    }

    private void answered(final ConsumerRecord<byte[], byte[]> record) {
        try {
            EventCodec.read(record).ifPresent(read -> {
                if (read.event() instanceof FileAnswer answer) {
                    final CompletableFuture<FileResult> waiting =
                            expected.get(new Expected(answer.cluster(), answer.request()));
                    if (waiting != null) {
                        waiting.complete(answer.result());
                    }
                }
            });
        } catch (UnreadableMessageException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("an answer about a file cannot be read");
        }
    }

    private void pause() {
        try {
            if (!stopping) {
                Thread.sleep(RETRY);
            }
        } catch (InterruptedException e) {
            stopping = true;
        }
    }

    @PreDestroy
    void close() {
        stopping = true;
        final KafkaConsumer<byte[], byte[]> open = consumer;
        if (open != null) {
            open.wakeup();
        }
    }
}
