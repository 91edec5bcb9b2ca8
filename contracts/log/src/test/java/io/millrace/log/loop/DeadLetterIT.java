package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static io.millrace.log.loop.Scene.job;
import static io.millrace.log.loop.Scene.once;
import static io.millrace.log.loop.Scene.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Attack;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever stands on a topic, the next record is read. */
class DeadLetterIT {

    private final Scene scene = Scene.onTheStack();
    private final ClusterId cluster = scene.known(ClusterId.of(scene.name));
    private final Producer<byte[], byte[]> writer =
            Clients.openProducer(Clients.producer(scene.bootstrap, Stack.PATIENT));

    @AfterEach
    void close() {
        writer.close();
        scene.close();
    }

    /** Keeps the keys it was given. */
    private static final class Listening implements Decider {
        private final Collection<String> heard;

        Listening(final Collection<String> heard) {
            this.heard = heard;
        }

        @Override
        public void apply(final LogRecord record) {
            heard.add(record.topic() + " " + record.key());
        }

        @Override
        public List<OutgoingEvent> decide(final Instant now) {
            return List.of();
        }
    }

    private void poison(final Topic topic, final String typeName, final String value) {
        final ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic.topicName(cluster),
                0,
                EventCodec.utf8(scene.name),
                value == null ? null : EventCodec.utf8(value));
        if (typeName != null) {
            record.headers().add("ce_type", EventCodec.utf8(typeName));
        }
        try {
            writer.send(record).get();
        } catch (final Exception e) {
            throw new AssertionError(e);
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> deadLetters(final Topic topic, final String reader) {
        return scene.committed(Service.QUOTA.deadLetters()).stream()
                .filter(record -> EventCodec.header(record.headers(), "millrace_topic")
                        .orElse("")
                        .equals(topic.topicName(cluster)))
                .filter(record -> EventCodec.header(record.headers(), "millrace_reader")
                        .orElse("")
                        .equals(reader))
                .filter(record -> new String(record.key(), StandardCharsets.UTF_8).equals(scene.name))
                .toList();
    }

    private DecidingLoop listen(final LoopSettings settings, final Collection<String> heard) {
        return new DecidingLoop(settings, partition -> new Listening(heard), Clock.systemUTC());
    }

    @Test
    void poisoned_messages_on_every_topic_are_kept_with_their_reason_and_the_next_message_is_read() {
        for (final Topic topic : Topic.values()) {
            final EventType type = Stream.of(EventType.values())
                    .filter(t -> t.topic() == topic)
                    .findFirst()
                    .orElseThrow();
            poison(topic, type.typeName(), "{\u0000");
            poison(topic, type.typeName(), "{}");
            poison(topic, null, "{}");
            poison(topic, "millrace.from.the.future.v9", "{}");
        }
        final Map<Topic, Event> good = goodOnes();
        good.values().forEach(scene::put);

        final Collection<String> heard = new ConcurrentLinkedQueue<>();
        final LoopSettings clusters = LoopSettings.of(
                        scene.bootstrap,
                        Service.QUOTA,
                        scene.service(),
                        Topic.CLUSTER_STATE,
                        Topic.JOB_ENDS,
                        Topic.COMMANDS,
                        Topic.OUTCOMES,
                        Topic.CLASSES,
                        Topic.ENTITLEMENTS,
                        Topic.PLANS,
                        Topic.USAGE,
                        Topic.LEDGER,
                        Topic.FILE_REQUESTS,
                        Topic.FILE_ANSWERS,
                        Topic.AVAILABILITY)
                .withContext(Topic.QUOTAS);
        final LoopSettings jobs = LoopSettings.of(
                scene.bootstrap,
                Service.QUOTA,
                scene.service() + "-jobs",
                Topic.SUBMISSIONS,
                Topic.REQUESTS,
                Topic.GLOBAL_JOBS,
                Topic.TRANSFERS,
                Topic.LOCKS,
                Topic.NUMBERS);
        for (int start = 0; start < 2; start++) {
            try (DecidingLoop one = listen(clusters, heard);
                    DecidingLoop other = listen(jobs, heard)) {
                one.start();
                other.start();
                await(
                        "both have caught up",
                        () -> one.health().isReady() && other.health().isReady());
                await(
                        "and committed",
                        () -> one.health().lag() == 0 && other.health().lag() == 0);
                for (final Topic topic : Topic.values()) {
                    final String reader = jobs.own().contains(topic) ? jobs.service() : clusters.service();
                    await(
                            "dead letters of " + topic,
                            () -> deadLetters(topic, reader).size() >= 3);
                }
                if (start == 0) {
                    assertThat(one.health().deadLetters()).isGreaterThanOrEqualTo(9 * 3);
                    assertThat(one.health().unknownTypes()).isGreaterThanOrEqualTo(9);
                }
            }
        }
        good.forEach((topic, event) -> assertThat(heard).contains(topic + " " + event.key()));
        for (final Topic topic : Topic.values()) {
            final String reader = jobs.own().contains(topic) ? jobs.service() : clusters.service();
            final List<ConsumerRecord<byte[], byte[]>> dead = deadLetters(topic, reader);
            assertThat(dead).as("no restart buries twice").hasSize(3);
            assertThat(dead)
                    .extracting(this::reason)
                    .satisfiesExactly(
                            notJson -> assertThat(notJson).contains("not JSON"),
                            missing -> assertThat(missing).contains("field '").contains("required"),
                            headless -> assertThat(headless).contains("ce_type"));
            assertThat(dead.get(0).value()).isEqualTo(EventCodec.utf8("{\u0000"));
            assertThat(EventCodec.header(dead.get(0).headers(), "millrace_topic"))
                    .contains(topic.topicName(cluster));
            assertThat(EventCodec.header(dead.get(0).headers(), "millrace_partition"))
                    .contains("0");
            assertThat(Long.parseLong(EventCodec.header(dead.get(1).headers(), "millrace_offset")
                            .orElseThrow()))
                    .isGreaterThan(Long.parseLong(EventCodec.header(dead.get(0).headers(), "millrace_offset")
                            .orElseThrow()));
        }
    }

    @Attack("an agent with the rights of its own cluster writes that a job of another cluster is gone, and a marker"
            + " that closes it")
    @Test
    void what_an_agent_writes_about_another_cluster_changes_nothing() throws Exception {
        final ClusterId victim = scene.clusterOn(1);
        final ClusterId attacker = scene.clusterOn(2);
        final EventCodec codec = new EventCodec("agent/" + attacker);
        for (final OutgoingEvent forged : List.of(
                OutgoingEvent.put(waiting(job(victim, 666))),
                OutgoingEvent.remove(Topic.CLUSTER_STATE, JobObserved.keyOf(job(victim, 1)), victim),
                OutgoingEvent.put(scene.marker(victim)))) {
            final ProducerRecord<byte[], byte[]> record = codec.write(forged, Instant.now(), 1);
            writer.send(new ProducerRecord<>(
                            Topic.CLUSTER_STATE.topicName(attacker), 0, record.key(), record.value(), record.headers()))
                    .get();
        }
        scene.jobsWait(victim, 1, 2);
        scene.jobsWait(attacker, 7, 7);
        try (DecidingLoop loop =
                new DecidingLoop(scene.settings(), partition -> new StartEverything(scene.name), Clock.systemUTC())) {
            loop.start();
            await("3 starts", () -> scene.commands().size() == 3);
            await("three letters", () -> loop.health().deadLetters() >= 3);
        }
        final Map<String, Integer> expected = new HashMap<>(once(victim, 1, 2));
        expected.putAll(once(attacker, 7, 7));
        assertThat(scene.commands()).isEqualTo(expected);
        assertThat(scene.committed(Service.QUOTA.deadLetters()))
                .filteredOn(dead -> EventCodec.header(dead.headers(), "millrace_reader")
                        .orElse("")
                        .equals(scene.service()))
                .filteredOn(dead -> EventCodec.header(dead.headers(), "millrace_topic")
                        .orElse("")
                        .equals(Topic.CLUSTER_STATE.topicName(attacker)))
                .hasSize(3)
                .allSatisfy(dead -> assertThat(reason(dead)).contains("only keys of cluster '" + attacker + "'"));
    }

    private String reason(final ConsumerRecord<byte[], byte[]> dead) {
        return EventCodec.header(dead.headers(), "millrace_reason").orElseThrow();
    }

    /** One golden sample per topic. */
    private static Map<Topic, Event> goodOnes() {
        final Map<Topic, Event> events = new HashMap<>();
        try (Stream<Path> files = Files.list(Path.of("../model/src/test/resources/golden"))) {
            for (final Path file : files.sorted().toList()) {
                final String name = file.getFileName().toString();
                final EventType type = EventType.named(name.substring(0, name.indexOf(".v1.") + 3))
                        .orElseThrow();
                events.putIfAbsent(type.topic(), EventCodec.parse(Files.readAllBytes(file), type));
            }
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
        assertThat(events).containsOnlyKeys(Topic.values());
        return events;
    }

    @Test
    void a_record_that_the_decider_chokes_on_is_buried_and_the_rest_is_decided() {
        scene.put(waiting(job(cluster, 666)));
        scene.jobsWait(cluster, 1, 2);
        try (DecidingLoop loop = new DecidingLoop(
                scene.settings(),
                partition -> new StartEverything(scene.name) {
                    @Override
                    public void apply(final LogRecord record) {
                        if (record.key().startsWith(cluster + "/job/666")) {
                            throw new IllegalStateException("666 is the number of the beast");
                        }
                        super.apply(record);
                    }
                },
                Clock.systemUTC())) {
            loop.start();
            await("2 starts", () -> scene.commands().size() == 2);
            await("its letter", () -> loop.health().deadLetters() >= 1);
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, 2));
        assertThat(scene.committed(Service.QUOTA.deadLetters()))
                .filteredOn(dead -> EventCodec.header(dead.headers(), "millrace_reader")
                        .orElse("")
                        .equals(scene.service()))
                .filteredOn(dead -> new String(dead.key(), StandardCharsets.UTF_8).startsWith(cluster.value()))
                .singleElement()
                .satisfies(dead -> assertThat(reason(dead)).contains("number of the beast"));
    }
}
