package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static io.millrace.log.loop.Scene.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.log.Clients;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import io.millrace.model.protocol.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker goes away, or our own code is wrong: the loop says so, keeps trying, and repeats nothing. */
class TroubleIT {

    @Test
    void a_broker_that_goes_away_is_awaited_and_health_reports_it(@TempDir final Path data) throws IOException {
        EmbeddedKafka broker = EmbeddedKafka.start(data, 0);
        final int port = Integer.parseInt(broker.bootstrapServers().split(":")[1]);
        try (Scene scene = new Scene(broker.bootstrapServers());
                DecidingLoop loop = new DecidingLoop(
                        scene.settings(), partition -> new StartEverything(scene.name), Clock.systemUTC())) {
            final ClusterId cluster = scene.clusterOn(0);
            scene.jobsWait(cluster, 1, 2);
            loop.start();
            await("2 starts", () -> scene.commands().size() == 2);
            assertThat(loop.health().isReady()).isTrue();

            broker.close();
            await("it is missed", () -> !loop.health().brokerAnswers());
            assertThat(loop.health().isReady()).isFalse();

            broker = EmbeddedKafka.start(data, port);
            await("it is back", () -> loop.health().isReady());
            scene.jobsWait(cluster, 3, 4);
            await("4 starts", () -> scene.commands().size() == 4);
            assertThat(scene.commands()).isEqualTo(once(cluster, 1, 4));
        } finally {
            broker.close();
        }
    }

    @Test
    void a_loop_may_be_started_before_its_broker(@TempDir final Path data) throws IOException {
        final String address;
        try (EmbeddedKafka first = EmbeddedKafka.start(data, 0)) {
            address = first.bootstrapServers();
            Topics.create(address, Scene.PARTITIONS, 1);
        }
        try (DecidingLoop loop = new DecidingLoop(
                LoopSettings.of(address, Service.QUOTA, "early", Topic.AVAILABILITY),
                p -> new StartEverything("x"),
                Clock.systemUTC())) {
            loop.start();
            Sleep.sleep(java.time.Duration.ofSeconds(1));
            assertThat(loop.health().isReady()).isFalse();
            try (EmbeddedKafka second = EmbeddedKafka.start(data, Integer.parseInt(address.split(":")[1]))) {
                await(
                        "it has found " + second.bootstrapServers(),
                        () -> loop.health().isReady());
            }
        }
    }

    /** As the coordinator of the group does for ever if it missed the end of a transaction when the broker was killed. */
    @Test
    void offsets_that_the_coordinator_keeps_as_pending_do_not_stop_a_service() {
        try (Scene scene = Scene.onTheStack();
                Producer<byte[], byte[]> stranger = Clients.openProducer(Clients.transactionalProducer(
                        scene.bootstrap,
                        "stranger-" + scene.name,
                        Map.of(
                                "transaction.timeout.ms",
                                900_000,
                                "max.block.ms",
                                300_000,
                                "delivery.timeout.ms",
                                300_000)))) {
            final ClusterId cluster = scene.clusterOn(0);
            scene.jobsWait(cluster, 1, 2);
            stranger.initTransactions();
            stranger.beginTransaction();
            stranger.sendOffsetsToTransaction(
                    Map.of(new TopicPartition(Topic.AVAILABILITY.topicName(), 0), new OffsetAndMetadata(0)),
                    new ConsumerGroupMetadata(scene.service()));
            try (DecidingLoop loop = new DecidingLoop(
                    scene.settings(), partition -> new StartEverything(scene.name), Clock.systemUTC())) {
                loop.start();
                await("2 starts", () -> scene.commands().size() == 2);
            }
            stranger.abortTransaction();
        }
    }

    @Test
    void a_decider_that_fails_is_built_anew_and_decides_once() {
        try (Scene scene = Scene.onTheStack()) {
            final ClusterId cluster = scene.clusterOn(1);
            scene.jobsWait(cluster, 1, 2);
            final AtomicInteger failures = new AtomicInteger();
            try (DecidingLoop loop = new DecidingLoop(
                    scene.settings(),
                    partition -> new StartEverything(scene.name) {
                        @Override
                        public List<OutgoingEvent> decide(final Instant now) {
                            final List<OutgoingEvent> says = super.decide(now);
                            if (!says.isEmpty() && failures.getAndIncrement() < 2) {
                                throw new IllegalStateException("divided by zero cores");
                            }
                            return says;
                        }
                    },
                    Clock.systemUTC())) {
                loop.start();
                await(
                        "it says what is wrong",
                        () -> String.valueOf(loop.health().trouble()).contains("divided by zero cores"));
                assertThat(loop.health().isReady()).isFalse();
                await("2 starts", () -> scene.commands().size() == 2);
                await("it is well again", () -> loop.health().isReady());
                assertThat(loop.health().reopened()).isEqualTo(2);
            }
            assertThat(scene.commands()).isEqualTo(once(cluster, 1, 2));
        }
    }

    @Test
    void a_decision_too_large_for_the_log_is_trouble_that_names_it() {
        try (Scene scene = Scene.onTheStack()) {
            final GlobalJobId job = GlobalJobId.of("01JNFQ6M5T8W3KZX9B2C4D7E1F");
            final Plan large = new Plan(job, Issuer.MIGRATION, null, 0, "x".repeat(1024 * 1024), List.of());
            try (DecidingLoop loop = new DecidingLoop(
                    LoopSettings.of(scene.bootstrap, Service.QUOTA, scene.service(), Topic.REQUESTS),
                    partition -> new Decider() {
                        @Override
                        public void apply(final LogRecord record) {
                            // It has made up its mind already.
                        }

                        @Override
                        public List<OutgoingEvent> decide(final Instant now) {
                            return List.of(OutgoingEvent.put(large));
                        }
                    },
                    Clock.systemUTC())) {
                loop.start();
                await(
                        "it says what is wrong",
                        () -> String.valueOf(loop.health().trouble())
                                .contains("'" + large.key() + "' for millrace.plans"));
            }
        }
    }
}
