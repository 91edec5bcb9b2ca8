package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static io.millrace.log.loop.Scene.job;
import static io.millrace.log.loop.Scene.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.OutgoingEvent;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.protocol.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A decision that is written in several transactions, in a process that dies between two of them. */
class LargeDecisionIT {

    private static final int MAX = DecisionParts.MAX_RECORDS;
    private static final int JOBS = 2 * MAX + 500;
    private static final int RUNS = 3;

    private final Scene scene = Scene.onTheStack();
    private final ClusterId cluster = scene.clusterOn(1);

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void a_crash_between_two_parts_loses_nothing_and_repeats_nothing() throws IOException, InterruptedException {
        IntStream.rangeClosed(1, RUNS).forEach(run -> scene.put(ended(run)));
        CompletableFuture.allOf(IntStream.rangeClosed(1, JOBS)
                        .mapToObj(number -> scene.send(OutgoingEvent.put(Scene.waiting(job(cluster, number)))))
                        .toArray(CompletableFuture[]::new))
                .join();
        scene.put(scene.marker(cluster));

        // The first part has the commands and ledger entries, the second one a full part of plans; the broker has the
        // first plans of the third.
        try (Instance.Handle dying =
                new Instance.Handle(PlanEverything.class, scene, false, HaltOnWrite.after(Topic.PLANS, MAX + 1))) {
            await("it dies", () -> !dying.isAlive());
            assertThat(dying.exitValue()).as(dying.output()).isEqualTo(137);
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, JOBS));
        assertThat(keys(Topic.LEDGER)).hasSize(RUNS).doesNotHaveDuplicates();
        assertThat(keys(Topic.PLANS)).hasSize(MAX);

        try (DecidingLoop successor = new DecidingLoop(
                PlanEverything.settings(scene.bootstrap, scene.name),
                partition -> new PlanEverything(scene.name),
                Clock.systemUTC())) {
            successor.start();
            await("all plans are published", () -> keys(Topic.PLANS).size() >= JOBS);
            await("it has read all", () -> successor.health().lag() == 0);
        }
        assertThat(keys(Topic.PLANS)).hasSize(JOBS).doesNotHaveDuplicates();
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, JOBS));
        assertThat(keys(Topic.LEDGER)).hasSize(RUNS).doesNotHaveDuplicates();
    }

    private RunEnded ended(final int run) {
        return new RunEnded(
                job(cluster, 0),
                "job",
                null,
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                Resources.cores(1),
                null,
                run,
                Scene.LONG_AGO,
                Scene.LONG_AGO.plusSeconds(60),
                new RunOutcome.Exited(0),
                0,
                "local",
                null);
    }

    /** The keys of this cluster's committed records, in order. Other tests write unreadable records. */
    private List<String> keys(final Topic topic) {
        return scene.committed(topic).stream()
                .map(record -> new String(record.key(), StandardCharsets.UTF_8))
                .filter(key -> key.startsWith(cluster.value()))
                .toList();
    }
}
