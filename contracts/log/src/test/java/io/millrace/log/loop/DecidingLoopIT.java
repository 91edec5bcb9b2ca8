package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static io.millrace.log.loop.Scene.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.protocol.Topic;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DecidingLoopIT {

    private final Scene scene = Scene.onTheStack();

    @AfterEach
    void close() {
        scene.close();
    }

    private DecidingLoop loop() {
        return new DecidingLoop(scene.settings(), partition -> new StartEverything(scene.name), Clock.systemUTC());
    }

    @Test
    void every_waiting_job_is_started_once_and_a_restart_repeats_nothing() {
        final ClusterId cluster = scene.clusterOn(1);
        scene.jobsWait(cluster, 1, 20);
        try (DecidingLoop loop = loop()) {
            loop.start();
            await("20 starts", () -> scene.commands().size() == 20);
            await("caught up", () -> loop.health().isReady() && loop.health().lag() == 0);
            assertThat(loop.health().assigned()).containsExactly(0, 1, 2);
            assertThat(loop.health().lastDecision()).isNotNull();
        }
        scene.jobsWait(cluster, 21, 30);
        try (DecidingLoop loop = loop()) {
            loop.start();
            await("30 starts", () -> scene.commands().size() == 30);
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, 30));
    }

    @Test
    void two_instances_share_the_partitions_and_every_decision_appears_once() {
        final Map<String, Integer> expected = new HashMap<>();
        try (DecidingLoop first = loop();
                DecidingLoop second = loop()) {
            first.start();
            second.start();
            await(
                    "both decide for some",
                    () -> !first.health().assigned().isEmpty()
                            && !second.health().assigned().isEmpty()
                            && first.health().assigned().size()
                                            + second.health().assigned().size()
                                    == Scene.PARTITIONS);
            final Set<Integer> all = new HashSet<>(first.health().assigned());
            all.addAll(second.health().assigned());
            assertThat(all).containsExactlyInAnyOrder(0, 1, 2);
            for (int partition = 0; partition < Scene.PARTITIONS; partition++) {
                final ClusterId cluster = scene.clusterOn(partition);
                scene.jobsWait(cluster, 1, 10);
                expected.putAll(once(cluster, 1, 10));
            }
            await("all started", () -> scene.commands().size() >= expected.size());
            assertThat(first.health().decisions()).isPositive();
            assertThat(second.health().decisions()).isPositive();
        }
        assertThat(scene.commands()).isEqualTo(expected);
    }

    @Test
    void a_shard_reads_the_context_when_its_first_cluster_appears() {
        // Other classes write entitlements only to partitions 0 and 1.
        final JobKey elsewhere = Scene.job(scene.clusterOn(0), 1);
        scene.put(Scene.waiting(elsewhere));
        final Map<Integer, Queue<String>> applied = new ConcurrentHashMap<>();
        final LoopSettings settings = LoopSettings.of(
                        scene.settings().bootstrapServers(), Service.QUOTA, scene.name, Topic.ENTITLEMENTS)
                .withContext(Topic.CLUSTER_STATE);
        try (DecidingLoop loop = new DecidingLoop(
                settings,
                partition -> new Keys(applied.computeIfAbsent(partition, p -> new ConcurrentLinkedQueue<>())),
                Clock.systemUTC())) {
            loop.start();
            await("ready", () -> loop.health().isReady());
            assertThat(applied.get(0)).contains(JobObserved.keyOf(elsewhere));
            assertThat(applied.get(2)).isEmpty();

            final JobKey first = Scene.job(scene.clusterOn(2), 1);
            scene.put(new Entitlement(first, EntitlementLevel.GUARANTEED, 0, "within quota"));
            await(
                    "both are applied",
                    () -> applied.get(2).containsAll(Set.of(first.toString(), JobObserved.keyOf(elsewhere))));
            await("ready again", () -> loop.health().isReady());
            assertThat(applied.get(2)).containsOnlyOnce(first.toString());
        }
    }

    /** Decides nothing and keeps the keys that it reads. */
    private record Keys(Queue<String> applied) implements Decider {
        @Override
        public void apply(final LogRecord read) {
            applied.add(read.key());
        }

        @Override
        public List<OutgoingEvent> decide(final Instant now) {
            return List.of();
        }
    }
}
