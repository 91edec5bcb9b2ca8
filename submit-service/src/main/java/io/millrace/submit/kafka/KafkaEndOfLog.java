package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.EndOfLog;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Asks the broker. */
@ApplicationScoped
class KafkaEndOfLog implements EndOfLog {

    /** After the topics are created. */
    private static final int LATER = 100;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    private volatile @Nullable Admin admin;

    KafkaEndOfLog(final KafkaSettings settings) {
        this.settings = settings;
    }

    void start(@Observes @Priority(LATER) final StartupEvent event) {
        admin = Clients.openAdmin(settings.bootstrapServers(), Map.of());
    }

    @Override
    public long of(final LogPosition position) {
        final Topic topic = position.topic();
        final int partitions =
                topic.spread() == Topic.Spread.BY_CLUSTER && !topic.isPerCluster() ? settings.partitions() : 1;
        if (position.partition() < 0 || position.partition() >= partitions) {
            return 0; // the client would look for it until its time-out
        }
        final TopicPartition asked = new TopicPartition(position.topicName(), position.partition());
        try {
            return Objects.requireNonNull(admin)
                    .listOffsets(Map.of(asked, OffsetSpec.latest()))
                    .partitionResult(asked)
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .offset();
        } catch (ExecutionException | TimeoutException e) {
            throw unavailable();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable();
        }
    }

    private static RequestRefused unavailable() {
        return new RequestRefused(RequestRefused.Kind.UNAVAILABLE, "the log does not answer; retry");
    }

    @PreDestroy
    void close() {
        final Admin open = admin;
        if (open != null) {
            open.close(Duration.ZERO);
        }
    }
}
