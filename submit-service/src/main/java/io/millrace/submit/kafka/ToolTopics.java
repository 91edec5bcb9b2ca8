package io.millrace.submit.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.log.Clients;
import io.millrace.log.access.Part;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.tools.ToolAnswer;
import io.millrace.submit.tools.ToolSubmissions;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
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
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration RETENTION = Duration.ofDays(7);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KafkaSettings kafka;
    private final ToolSubmissions submissions;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("tool submissions").unstarted(this::run);
    private Set<String> tools = Set.of();
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private volatile boolean stopping;

    ToolTopics(final KafkaSettings kafka, final ToolSubmissions submissions) {
        this.kafka = kafka;
        this.submissions = submissions;
    }

    void start(@Observes @Priority(LATE) final StartupEvent started) {
        thread.start();
    }

    void stop(@Observes final ShutdownEvent event) {
        stopping = true;
        final KafkaConsumer<byte[], byte[]> open = consumer;
        if (open != null) {
            open.wakeup();
        }
    }

    private void run() {
        while (!stopping) {
            if (submissions.tools().isEmpty()) {
                pause();
                continue;
            }
            try (KafkaConsumer<byte[], byte[]> next = Clients.openConsumer(
                            Clients.consumer(kafka.bootstrapServers(), kafka.group() + "-tools", Map.of()));
                    Producer<byte[], byte[]> answers =
                            Clients.openProducer(Clients.producer(kafka.bootstrapServers(), Map.of()))) {
                consumer = next;
                tools = Set.of();
                while (!stopping) {
                    subscribe(next);
                    answer(next, answers);
                }
            } catch (final WakeupException e) {
                LOG.debug("stopped");
            } catch (final KafkaException e) {
                LOG.warn("requests of tools cannot be read or answered; retrying: {}", e.getMessage());
                pause();
            } catch (final RequestRefused e) {
                LOG.warn("a request of a tool cannot be decided now; retrying: {}", e.getMessage());
                pause();
            }
        }
    }

    private void subscribe(final KafkaConsumer<byte[], byte[]> from) {
        final Set<String> registered = submissions.tools();
        if (!registered.equals(tools)) {
            create(registered);
            from.subscribe(registered.stream()
                    .map(tool -> new Part.Tool(tool).submissions())
                    .toList());
            tools = registered;
            LOG.atInfo().addKeyValue("tools", registered).log("reading requests of tools");
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

    private void answer(final KafkaConsumer<byte[], byte[]> from, final Producer<byte[], byte[]> answers) {
        for (final ConsumerRecord<byte[], byte[]> record : from.poll(POLL)) {
            final String tool = record.topic().substring(Part.Tool.SUBMISSIONS.length());
            final ToolAnswer answer = submissions.submit(
                    tool,
                    record.value() == null ? "" : new String(record.value(), StandardCharsets.UTF_8),
                    record.offset());
            store(answers, tool, answer);
            from.commitSync(Map.of(
                    new TopicPartition(record.topic(), record.partition()),
                    new OffsetAndMetadata(record.offset() + 1)));
            LOG.atInfo()
                    .addKeyValue("tool", tool)
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("status", answer.status())
                    .addKeyValue("jobId", answer.job())
                    .log("request of a tool answered");
        }
    }

    private static void store(final Producer<byte[], byte[]> answers, final String tool, final ToolAnswer answer) {
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
            throw new WakeupException();
        }
    }

    private void pause() {
        try {
            if (!stopping) {
                Thread.sleep(RETRY.toMillis());
            }
        } catch (InterruptedException e) {
            stopping = true;
        }
    }
}
