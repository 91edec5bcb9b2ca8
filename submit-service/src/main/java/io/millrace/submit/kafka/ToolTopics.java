package io.millrace.submit.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.log.Clients;
import io.millrace.log.access.Part;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.tools.ToolAnswer;
import io.millrace.submit.tools.ToolSubmissions;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the requests of each registered tool from its own topic, and writes the answers to another one that only the tool reads. A request is
 * committed after its answer is stored; one that is read twice gets the same answer again.
 */
@ApplicationScoped
class ToolTopics {

    private static final Logger LOG = LoggerFactory.getLogger(ToolTopics.class);
    private static final int LATE = 5000;
    private static final Duration CHECK = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration RETENTION = Duration.ofDays(7);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KafkaSettings kafka;
    private final ToolSubmissions submissions;
    private final ScheduledExecutorService schedule;
    private final Producer<byte[], byte[]> answers;
    /** Those whose topics exist. */
    private volatile Set<String> tools = Set.of();

    ToolTopics(final KafkaSettings kafka, final ToolSubmissions submissions, final ScheduledExecutorService schedule) {
        this.kafka = kafka;
        this.submissions = submissions;
        this.schedule = schedule;
        this.answers = Clients.openProducer(Clients.producer(kafka.bootstrapServers(), Map.of()));
    }

    void start(@Observes @Priority(LATE) final StartupEvent started) {
        schedule.scheduleWithFixedDelay(this::createMissing, 0, CHECK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void createMissing() {
        try {
            final Set<String> registered = submissions.tools();
            if (!registered.equals(tools)) {
                create(registered);
                tools = registered;
                LOG.atInfo().addKeyValue("tools", registered).log("reading requests of tools");
            }
        } catch (final RuntimeException e) {
            LOG.warn("topics of tools cannot be created; retrying: {}", e.getMessage());
        }
    }

    private void create(final Set<String> registered) {
        try (Admin admin = Clients.openAdmin(kafka.bootstrapServers(), Map.of())) {
            admin.createTopics(registered.stream()
                            .flatMap(
                                    tool -> Stream.of(new Part.Tool(tool).submissions(), new Part.Tool(tool).answers()))
                            .map(name -> new NewTopic(name, 1, kafka.replication())
                                    .configs(Map.of("retention.ms", Long.toString(RETENTION.toMillis()))))
                            .toList())
                    .values()
                    .forEach((name, created) -> {
                        try {
                            created.get();
                        } catch (ExecutionException e) {
                            if (!(e.getCause() instanceof TopicExistsException)) {
                                LOG.warn("topic '{}' was not created: {}", name, e.getMessage());
                            }
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    });
        }
    }

    /** The next request is answered after this one. A request of a tool that is not registered gets no answer. */
    @Incoming("tool-submissions")
    Uni<Void> answer(final ConsumerRecord<byte[], byte[]> request) {
        return Uni.createFrom()
                .voidItem()
                .emitOn(Infrastructure.getDefaultWorkerPool())
                .invoke(() -> answerNow(request))
                .onFailure()
                .invoke(e ->
                        LOG.warn("a request of a tool cannot be decided or answered now; retrying: {}", e.getMessage()))
                .onFailure()
                .retry()
                .withBackOff(RETRY, RETRY)
                .indefinitely();
    }

    private void answerNow(final ConsumerRecord<byte[], byte[]> request) {
        final String tool = request.topic().substring(Part.Tool.SUBMISSIONS.length());
        if (!submissions.tools().contains(tool)) {
            return;
        }
        final ToolAnswer answer = submissions.submit(
                tool,
                request.value() == null ? "" : new String(request.value(), StandardCharsets.UTF_8),
                request.offset());
        store(tool, answer);
        LOG.atInfo()
                .addKeyValue("tool", tool)
                .addKeyValue("offset", request.offset())
                .addKeyValue("status", answer.status())
                .addKeyValue("jobId", answer.job())
                .log("request of a tool answered");
    }

    private void store(final String tool, final ToolAnswer answer) {
        try {
            final byte[] key = (answer.id() == null ? Long.toString(answer.offset()) : answer.id())
                    .getBytes(StandardCharsets.UTF_8);
            answers.send(new ProducerRecord<>(new Part.Tool(tool).answers(), key, JSON.writeValueAsBytes(answer)))
                    .get();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer is always JSON", e);
        } catch (ExecutionException e) {
            throw new KafkaException("an answer was not stored: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while storing an answer", e);
        }
    }

    @PreDestroy
    void close() {
        answers.close(Duration.ZERO);
    }
}
