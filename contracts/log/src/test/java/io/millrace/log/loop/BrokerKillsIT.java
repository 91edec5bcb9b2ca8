package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static io.millrace.log.loop.Scene.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Sample;
import io.millrace.testing.Stack;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker is killed while two services decide; {@code ./millrace prove broker-kills} does the same to the whole stack. Each job is
 * started once, and each unreadable request, which is read from committed offsets, is in the dead letters once.
 */
class BrokerKillsIT {

    private static final int KILLS = Sample.rounds(2, 20);
    private static final int BATCH = 25;

    @TempDir
    private Path data;

    @Test
    void after_each_kill_of_the_broker_every_service_decides_again_and_nothing_is_decided_twice() throws Exception {
        final Random random = Sample.random("broker kills");
        BrokerProcess broker = BrokerProcess.start(data, 0);
        final LoopSettings requests = LoopSettings.of(broker.address(), Service.QUOTA, "requests", Topic.REQUESTS);
        try (Scene scene = new Scene(broker.address());
                Producer<byte[], byte[]> users =
                        Clients.openProducer(Clients.producer(broker.address(), Stack.PATIENT));
                DecidingLoop starts = new DecidingLoop(
                        scene.settings(), partition -> new StartEverything(scene.name), Clock.systemUTC());
                DecidingLoop answers =
                        new DecidingLoop(requests, partition -> new StartEverything(scene.name), Clock.systemUTC())) {
            final ClusterId cluster = scene.clusterOn(0);
            starts.start();
            answers.start();
            await(
                    "both services decide",
                    () -> starts.health().isReady() && answers.health().isReady());
            for (int round = 0; round <= KILLS; round++) {
                final int last = (round + 1) * BATCH;
                for (int number = round * BATCH + 1; number <= last; number++) {
                    scene.jobsWait(cluster, number, number);
                    request(users, number);
                }
                if (round < KILLS) {
                    Sleep.sleep(Duration.ofMillis(random.nextInt(200)));
                    broker.kill();
                    broker = BrokerProcess.start(data, broker.port());
                }
                await("job " + last + " is started", () -> scene.commands().size() == last);
                await("request " + last + " is read", () -> buried(scene).size() == last);
            }
            assertThat(scene.commands()).isEqualTo(once(cluster, 1, (KILLS + 1) * BATCH));
            assertThat(buried(scene))
                    .isEqualTo(IntStream.rangeClosed(1, (KILLS + 1) * BATCH)
                            .mapToObj(Integer::toString)
                            .collect(Collectors.toMap(number -> number, number -> 1L)));
        } finally {
            broker.kill();
        }
    }

    private static void request(final Producer<byte[], byte[]> users, final int number) throws Exception {
        final ProducerRecord<byte[], byte[]> unreadable = new ProducerRecord<>(
                Topic.REQUESTS.topicName(), EventCodec.utf8(Integer.toString(number)), EventCodec.utf8("{"));
        final EventType type = List.of(EventType.values()).stream()
                .filter(candidate -> candidate.topic() == Topic.REQUESTS)
                .findFirst()
                .orElseThrow();
        unreadable.headers().add("ce_type", EventCodec.utf8(type.typeName()));
        users.send(unreadable).get();
    }

    /** How often each request is in the dead letters. */
    private static Map<String, Long> buried(final Scene scene) {
        return scene.committed(Service.QUOTA.deadLetters()).stream()
                .collect(Collectors.groupingBy(
                        record -> new String(record.key(), StandardCharsets.UTF_8), Collectors.counting()));
    }

    /** A broker in a process of its own, which can be killed. It also ends with this one. */
    private record BrokerProcess(Process process, String address) {

        static BrokerProcess start(final Path data, final int port) throws IOException {
            final Process process = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-Xmx144m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            EmbeddedKafka.class.getName(),
                            "--data=" + data,
                            "--port=" + port,
                            "--with-parent")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            final BufferedReader output = process.inputReader();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith("ready kafka ")) {
                    return new BrokerProcess(process, line.substring("ready kafka ".length()));
                }
            }
            throw new AssertionError("the broker did not start; its messages are above");
        }

        int port() {
            return Integer.parseInt(address.split(":")[1]);
        }

        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }
}
