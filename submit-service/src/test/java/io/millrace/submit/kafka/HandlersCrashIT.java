package io.millrace.submit.kafka;

import static io.millrace.submit.kafka.WebhookReceiver.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.log.Clients;
import io.millrace.log.EventSink;
import io.millrace.log.Topics;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.submit.TestData;
import io.millrace.testing.MariaDb;
import io.millrace.testing.Stack;
import io.millrace.testing.service.ServiceProcess;
import io.millrace.testing.service.TestLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service, killed during deliveries. */
@Timeout(900)
class HandlersCrashIT {

    /** Runs that match the handler, and runs that do not. */
    private static final int WANTED = 150;

    private static final int OTHERS = 1500;
    private static final int REJECTED_EACH = 10;
    /** The delivery at which the service is killed, within the first batch of a hundred. */
    private static final int DEADLY = 40;
    /** A day on which no run of another test ends. */
    private static final Instant DAY = Instant.parse("2026-02-03T04:05:06Z");

    @TempDir
    Path folder;

    private final String name = "c" + UUID.randomUUID().toString().substring(0, 8);
    private final ClusterId cluster = ClusterId.of(name);
    private final List<String> wanted = new ArrayList<>();

    @Test
    void interrupted_deliveries_are_repeated_with_the_same_id() throws Exception {
        ends();
        final CountDownLatch dead = new CountDownLatch(1);
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            final AtomicInteger seen = new AtomicInteger();
            receiver.always(exchange -> {
                if (seen.incrementAndGet() == DEADLY) {
                    await(dead);
                }
                final String id = exchange.getRequestHeaders().getFirst("ce-id");
                status(isRejected(id) ? 415 : 204).answer(exchange);
            });
            final String[] settings = settings(receiver.port());
            try (ServiceProcess first = ServiceProcess.start(settings)) {
                first.awaitListening();
                receiver.await(all -> all.size() >= DEADLY);
                first.kill();
            }
            dead.countDown();

            try (ServiceProcess second = ServiceProcess.start(settings)) {
                second.awaitListening();
                final List<WebhookReceiver.Got> got = receiver.await(all -> ids(all).size() >= WANTED);
                while (buried().size() < WANTED / REJECTED_EACH) {
                    Thread.sleep(20);
                }
                second.awaitEndWhenTold();

                assertThat(ids(got)).containsOnlyKeys(wanted);
                assertThat(ids(got).values()).as("an event keeps its id").allMatch(ids -> ids.size() == 1);
                assertThat(got).as("some came twice: it died amid them").hasSizeGreaterThan(WANTED);
                assertThat(got).allMatch(WebhookReceiver.Got::signed);
            }
        }
        assertThat(buried())
                .containsExactlyInAnyOrderElementsOf(
                        wanted.stream().filter(HandlersCrashIT::isRejected).toList());
    }

    /** Runs of a user that match the handler, between runs of another user that do not. */
    private void ends() {
        final String servers = Stack.kafka().bootstrapServers();
        Topics.create(servers, TestLog.PARTITIONS, 1);
        Topics.create(servers, cluster, 1);
        final int each = OTHERS / WANTED;
        try (EventSink log = new EventSink(servers, "test", Clock.systemUTC(), Stack.PATIENT)) {
            final List<CompletableFuture<?>> written = new ArrayList<>();
            for (int number = 0; number < WANTED + OTHERS; number++) {
                final boolean wants = number % (each + 1) == 0 && wanted.size() < WANTED;
                final RunEnded run = TestData.ended(
                        TestData.key(cluster, number), wants ? name : "other", null, DAY, new RunOutcome.Exited(0));
                if (wants) {
                    wanted.add(run.job().toString());
                }
                written.add(log.put(run).toCompletableFuture());
            }
            written.forEach(CompletableFuture::join);
        }
        assertThat(wanted).hasSize(WANTED);
    }

    private String[] settings(final int port) throws IOException {
        final MariaDb mariadb = Stack.mariadb();
        final Path secret = Files.writeString(folder.resolve("secret"), WebhookReceiver.SECRET);
        final Path handlers =
                Files.writeString(folder.resolve("handlers.yaml"), """
                handlers:
                  %s:
                    webhook: http://127.0.0.1:%d/in
                    secret-file: %s
                    events: [millrace.run.ended.v1]
                    users: [%s]
                    from: beginning
                    timeout: 5m
                """.formatted(name, port, secret, name));
        return new String[] {
            "-Dmillrace.submit.handlers-file=" + handlers,
            "-Dmillrace.submit.key-dir=" + folder.resolve("keys"),
            "-Dmillrace.submit.trusted-keys-dir=" + folder.resolve("keys/trusted"),
            // A separate projection, because other tests of this JVM share the broker.
            "-Dmillrace.kafka.group=" + name,
            "-Dquarkus.datasource.jdbc.url=" + mariadb.jdbcUrl("submit_crash"),
            "-Dquarkus.datasource.username=" + mariadb.user(),
            "-Dquarkus.datasource.password=" + mariadb.password()
        };
    }

    /** One of ten, by its number. */
    private static boolean isRejected(final String id) {
        final String number = id.substring(id.indexOf('/') + 1, id.indexOf('@'));
        return Integer.parseInt(number) / (OTHERS / WANTED + 1) % REJECTED_EACH == 0;
    }

    private static void await(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The message ids of each run. */
    private static Map<String, Set<String>> ids(final List<WebhookReceiver.Got> got) {
        return got.stream()
                .collect(Collectors.groupingBy(
                        each -> job(each.body()), Collectors.mapping(WebhookReceiver.Got::id, Collectors.toSet())));
    }

    private static String job(final String body) {
        try {
            return new ObjectMapper().readTree(body).path("job").asText();
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + body, e);
        }
    }

    /** Jobs in the dead letters of this handler. */
    private Set<String> buried() {
        final TopicPartition all = new TopicPartition(Service.SUBMIT.deadLetters(), 0);
        final Set<String> jobs = new HashSet<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Clients.consumer(Stack.kafka().bootstrapServers(), name + "-test", Map.of()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(all));
            consumer.seekToBeginning(List.of(all));
            final long end = consumer.endOffsets(List.of(all)).get(all);
            while (consumer.position(all) < end) {
                for (final ConsumerRecord<byte[], byte[]> letter : consumer.poll(Duration.ofMillis(100))) {
                    if (HandlerEvents.text(letter.headers(), "millrace_reader")
                            .filter(("handler/" + name)::equals)
                            .isPresent()) {
                        jobs.add(job(new String(letter.value(), java.nio.charset.StandardCharsets.UTF_8)));
                    }
                }
            }
        }
        return jobs;
    }
}
