package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static io.millrace.log.loop.Scene.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Another instance takes over at the worst moments; every decision stands on the log once. */
class TakeOverIT {

    private static final String QUICK_SESSION = "session.timeout.ms=6000";

    private final Scene scene = Scene.onTheStack();

    @AfterEach
    void close() {
        scene.close();
    }

    private DecidingLoop loop(final DeciderFactory deciders, final Map<String, Object> client) {
        return new DecidingLoop(scene.settings().withClient(client), deciders, Clock.systemUTC());
    }

    private DecidingLoop loop() {
        return loop(partition -> new StartEverything(scene.name), Map.of());
    }

    private Map<String, Integer> jobsOnEveryPartition(final int first, final int last) {
        final Map<String, Integer> expected = new HashMap<>();
        for (int partition = 0; partition < Scene.PARTITIONS; partition++) {
            final ClusterId cluster = scene.clusterOn(partition);
            scene.jobsWait(cluster, first, last);
            expected.putAll(once(cluster, first, last));
        }
        return expected;
    }

    /** Decides, and does not come back before it is allowed to. */
    private final class Slow extends StartEverything {
        private final AtomicInteger busy;
        private final CountDownLatch allowed;

        Slow(final AtomicInteger busy, final CountDownLatch allowed) {
            super(scene.name);
            this.busy = busy;
            this.allowed = allowed;
        }

        @Override
        public List<OutgoingEvent> decide(final Instant now) {
            final List<OutgoingEvent> says = super.decide(now);
            if (!says.isEmpty()) {
                busy.incrementAndGet();
                try {
                    allowed.await();
                } catch (final InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return says;
        }
    }

    @Test
    void a_rebalance_in_mid_decision_drops_what_was_not_committed_and_the_next_one_decides() {
        final AtomicInteger busy = new AtomicInteger();
        final CountDownLatch allowed = new CountDownLatch(1);
        final Map<String, Integer> expected = jobsOnEveryPartition(1, 5);
        try (DecidingLoop slow = loop(partition -> new Slow(busy, allowed), Map.of());
                DecidingLoop second = loop()) {
            slow.start();
            await("every shard is in mid-decision", () -> busy.get() == Scene.PARTITIONS);
            second.start();
            // The slow one gives a partition up although its decision is not back yet; the broker moves it after our
            // patience.
            await("the second one has taken over", () -> second.health().decisions() > 0);
            assertThat(scene.commands()).isNotEmpty().hasSizeLessThan(expected.size());
            allowed.countDown();
            await("all are started", () -> scene.commands().size() == expected.size());
            expected.putAll(jobsOnEveryPartition(6, 7));
            await("all later ones too", () -> scene.commands().size() == expected.size());
        }
        assertThat(scene.commands()).isEqualTo(expected);
    }

    @Test
    void a_superseded_instance_that_wakes_up_changes_nothing() throws IOException, InterruptedException {
        final ClusterId cluster = scene.clusterOn(2);
        scene.jobsWait(cluster, 1, 3);
        try (Instance.Handle frozen = new Instance.Handle(scene, true, QUICK_SESSION)) {
            await("it has decided", () -> frozen.output().contains("about to say 3"));
            frozen.signal("STOP");
            try (DecidingLoop successor = loop()) {
                successor.start();
                await("the successor has decided", () -> scene.commands().size() == 3);
                frozen.goOn();
                frozen.signal("CONT");
                await(
                        "the frozen one is back in the group",
                        () -> successor.health().assigned().size() < Scene.PARTITIONS
                                && frozen.output()
                                        .lines()
                                        .reduce("", (a, b) -> b)
                                        .contains("caughtUp=true"));
                assertThat(frozen.output().lines().reduce("", (a, b) -> b)).contains("decisions=0");
                assertThat(scene.commands()).isEqualTo(once(cluster, 1, 3));
                scene.jobsWait(cluster, 4, 6);
                await("later jobs start", () -> scene.commands().size() == 6);
            }
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, 6));
    }

    @Test
    void a_shard_whose_transactions_were_taken_over_decides_again_from_the_log_if_it_is_still_in_charge() {
        final ClusterId cluster = scene.clusterOn(0);
        scene.jobsWait(cluster, 1, 2);
        try (DecidingLoop loop = loop()) {
            loop.start();
            await("2 starts", () -> scene.commands().size() == 2);
            try (Producer<byte[], byte[]> usurper = Clients.openProducer(
                    Clients.transactionalProducer(scene.bootstrap, scene.service() + "-0", Map.of()))) {
                usurper.initTransactions();
                scene.jobsWait(cluster, 3, 4);
                await("its commit is refused", () -> loop.health().fenced() >= 1);
                await("4 starts", () -> scene.commands().size() == 4);
            }
            await("it is well again", () -> loop.health().isReady());
            assertThat(loop.health().reopened()).isEqualTo(loop.health().fenced());
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, 4));
    }

    /** The session outlives the test, so only the name lets the successor in. */
    @Test
    void a_killed_instance_with_a_name_is_followed_at_once_by_its_successor() throws IOException, InterruptedException {
        final ClusterId cluster = scene.clusterOn(1);
        scene.jobsWait(cluster, 1, 2);
        try (Instance.Handle killed =
                new Instance.Handle(scene, false, "session.timeout.ms=1700000", "group.instance.id=" + scene.name)) {
            await("2 starts", () -> scene.commands().size() == 2);
        }
        scene.jobsWait(cluster, 3, 4);
        try (DecidingLoop successor = loop()) {
            successor.start(scene.name);
            await("4 starts", () -> scene.commands().size() == 4);
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, 4));
    }

    @Test
    void a_stopped_instance_with_a_name_leaves_its_partitions_to_the_others() {
        final ClusterId cluster = scene.clusterOn(1);
        scene.jobsWait(cluster, 1, 2);
        try (DecidingLoop first =
                loop(partition -> new StartEverything(scene.name), Map.of("session.timeout.ms", 1_700_000))) {
            first.start("first");
            await("2 starts", () -> scene.commands().size() == 2);
        }
        scene.jobsWait(cluster, 3, 4);
        try (DecidingLoop second = loop()) {
            second.start("second");
            await("4 starts", () -> scene.commands().size() == 4);
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, 4));
    }

    @Test
    void of_two_instances_with_the_same_name_the_newer_one_decides_and_the_other_one_reports_it() {
        final ClusterId cluster = scene.clusterOn(1);
        try (DecidingLoop older = loop();
                DecidingLoop newer = loop()) {
            older.start(scene.name);
            await("the older one is ready", () -> older.health().isReady());
            newer.start(scene.name);
            await(
                    "the older one has noticed",
                    () -> String.valueOf(older.health().trouble()).contains("millrace.kafka.instance"));
            await("the newer one is ready", () -> newer.health().isReady());
            scene.jobsWait(cluster, 1, 2);
            await("2 starts", () -> scene.commands().size() == 2);
            assertThat(older.health().assigned()).isEmpty();
            assertThat(older.health().decisions()).isZero();
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, 2));
    }

    @Test
    void a_crash_between_decision_and_commit_leaves_nothing_and_the_decision_is_taken_again()
            throws IOException, InterruptedException {
        final ClusterId cluster = scene.clusterOn(1);
        scene.jobsWait(cluster, 1, 2);
        try (Instance.Handle dying = new Instance.Handle(scene, false, HaltOnWrite.after(Topic.COMMANDS, 1))) {
            await("it dies", () -> !dying.isAlive());
            assertThat(dying.exitValue()).as(dying.output()).isEqualTo(137);
        }
        assertThat(uncommitted(cluster)).isPositive();
        assertThat(scene.commands()).isEmpty();
        final long before = uncommitted(cluster);
        try (DecidingLoop successor = loop()) {
            successor.start();
            await("2 starts", () -> scene.commands().size() == 2);
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, 2));
        assertThat(uncommitted(cluster)).isEqualTo(before + 2);
    }

    private long uncommitted(final ClusterId cluster) {
        return scene.everything(Topic.COMMANDS.topicName(cluster), "read_uncommitted").stream()
                .filter(record -> EventCodec.header(record.headers(), "ce_subject")
                        .orElse("")
                        .equals(cluster.value()))
                .count();
    }
}
