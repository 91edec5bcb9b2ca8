package io.millrace.submit.kafka;

import io.millrace.log.EventSink;
import io.millrace.log.NoSuchClusterException;
import io.millrace.log.Topics;
import io.millrace.log.access.Part.Service;
import io.millrace.model.Event;
import io.millrace.submit.EventPublisher;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes events. */
@ApplicationScoped
public class KafkaEventPublisher implements EventPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaEventPublisher.class);
    /** Before the channels open, because they read these topics. */
    private static final int FIRST = 1;
    /** Concurrent requests share a request to the broker. */
    private static final Duration LINGER = Duration.ofMillis(2);

    private final KafkaSettings settings;
    private final EventSink sink;

    KafkaEventPublisher(final KafkaSettings settings, final Clock clock) {
        this.settings = settings;
        this.sink = new EventSink(
                settings.bootstrapServers(), "submit-service", clock, Map.of("linger.ms", LINGER.toMillis()));
    }

    void createTopics(@Observes @Priority(FIRST) final StartupEvent started) {
        Topics.create(
                settings.bootstrapServers(), List.of(Service.SUBMIT), settings.partitions(), settings.replication());
    }

    @Override
    public LogPosition publish(final Event event) {
        return written(sink.put(event), event);
    }

    @Override
    public LogPosition publishAll(final List<? extends Event> events) {
        final List<CompletableFuture<RecordMetadata>> sent =
                events.stream().map(sink::put).toList();
        LogPosition last = written(sent.getFirst(), events.getFirst());
        for (int i = 1; i < sent.size(); i++) {
            last = written(sent.get(i), events.get(i));
        }
        return last;
    }

    private static LogPosition written(final CompletableFuture<RecordMetadata> sent, final Event event) {
        try {
            final RecordMetadata written = sent.get();
            return new LogPosition(written.topic(), written.partition(), written.offset());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NoSuchClusterException) {
                throw new RequestRefused(
                        RequestRefused.Kind.UNAVAILABLE, e.getCause().getMessage() + "; retry when it has started");
            }
            LOG.atWarn().setCause(e.getCause()).addKeyValue("key", event.key()).log("event not written");
            throw new RequestRefused(
                    RequestRefused.Kind.UNAVAILABLE,
                    "the log does not answer, so it is unknown whether the request was accepted; repeat it (a submission with the"
                            + " same Idempotency-Key)");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestRefused(RequestRefused.Kind.UNAVAILABLE, "the service is stopping; repeat the request");
        }
    }

    @PreDestroy
    void close() {
        sink.close();
    }
}
