package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static io.millrace.log.loop.Scene.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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
}
