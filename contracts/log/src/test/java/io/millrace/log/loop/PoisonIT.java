package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static io.millrace.log.loop.Scene.job;
import static io.millrace.log.loop.Scene.once;
import static io.millrace.log.loop.Scene.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record on which decisions fail is set aside, and the loop goes on, in this process and after a restart. */
class PoisonIT {

    private static final int POISON = 666;

    /** Fails as long as it has seen a poisoned job with the marker that closes its batch. */
    private static final class Fragile extends StartEverything {
        private final Set<JobKey> seen = new HashSet<>();
        private final Set<JobKey> poison = new HashSet<>();

        Fragile(final String scene) {
            super(scene);
        }

        @Override
        public void apply(final LogRecord record) {
            super.apply(record);
            if (record.event() instanceof JobObserved job && isPoison(job.job())) {
                seen.add(job.job());
            } else if (record.event() instanceof RevisionClosed) {
                poison.addAll(seen);
            }
        }

        private static boolean isPoison(final JobKey job) {
            return Integer.parseInt(job.id().local()) >= POISON;
        }

        @Override
        public List<OutgoingEvent> decide(final Instant now) {
            if (!poison.isEmpty()) {
                throw new IllegalStateException(
                        "divided by zero cores of " + poison.iterator().next());
            }
            return super.decide(now);
        }
    }

    private static List<String> letters(final Scene scene, final ClusterId cluster) {
        return scene.committed(Service.QUOTA.deadLetters()).stream()
                .filter(dead -> EventCodec.header(dead.headers(), "millrace_reader")
                        .orElse("")
                        .equals(scene.service()))
                .filter(
                        dead -> EventCodec.header(dead.headers(), "millrace_reason")
                                .orElse("")
                                .contains(
                                        "cannot decide with it: decision failed: java.lang.IllegalStateException: divided by zero"))
                .map(dead -> new String(dead.key(), StandardCharsets.UTF_8))
                .filter(key -> key.startsWith(cluster.value()))
                .toList();
    }

    @Attack("records that the decider of a service cannot decide with stop the service for good")
    @Test
    void a_record_on_which_decisions_fail_is_set_aside_and_the_rest_is_decided(@TempDir final Path data)
            throws IOException {
        // Not the broker that the tests share: others have poisoned it.
        try (EmbeddedKafka broker = EmbeddedKafka.start(data, 0);
                Scene scene = new Scene(broker.bootstrapServers())) {
            final ClusterId cluster = scene.clusterOn(1);
            try (DecidingLoop loop =
                    new DecidingLoop(scene.settings(), partition -> new Fragile(scene.name), Clock.systemUTC())) {
                loop.start();
                scene.jobsWait(cluster, 1, 2);
                await("2 starts", () -> scene.commands().size() == 2);
                scene.put(waiting(job(cluster, POISON)));
                scene.jobsWait(cluster, 3, 4);
                // Read before the first is a dead letter, and without a marker yet.
                scene.put(waiting(job(cluster, POISON + 1)));
                await("the first is set aside", () -> loop.health().setAside() == 1);
                await("4 starts", () -> scene.commands().size() == 4);
                scene.jobsWait(cluster, 5, 6);
                await("6 starts", () -> scene.commands().size() == 6);
                await("it is well", () -> loop.health().isReady());
                assertThat(loop.health().setAside()).isEqualTo(2);
                assertThat(loop.health().latestSetAside())
                        .allMatch(place -> place.startsWith(Topic.CLUSTER_STATE.topicName(cluster) + "-0@"));
            }
            try (DecidingLoop restarted =
                    new DecidingLoop(scene.settings(), partition -> new Fragile(scene.name), Clock.systemUTC())) {
                restarted.start();
                scene.jobsWait(cluster, 7, 8);
                await("8 starts", () -> scene.commands().size() == 8);
                await("it is well", () -> restarted.health().isReady());
                assertThat(restarted.health().setAside())
                        .as("named at every start")
                        .isEqualTo(2);
            }
            assertThat(scene.commands()).isEqualTo(once(cluster, 1, 8));
            final List<String> keys = new ArrayList<>(letters(scene, cluster));
            assertThat(keys)
                    .as("each is a dead letter once")
                    .containsExactlyInAnyOrder(
                            waiting(job(cluster, POISON)).key(),
                            waiting(job(cluster, POISON + 1)).key());
        }
    }
}
