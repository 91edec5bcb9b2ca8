package io.millrace.log.loop;

import static io.millrace.log.loop.Scene.await;
import static io.millrace.log.loop.Scene.once;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.Clients;
import io.millrace.log.EventSink;
import io.millrace.log.LogRecord;
import io.millrace.log.NoSuchClusterException;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Stack;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.admin.Admin;
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
    void a_cluster_that_appears_while_the_loop_runs_is_decided_for_and_a_restart_continues_at_its_offsets() {
        final ClusterId old = scene.clusterOn(1);
        scene.jobsWait(old, 1, 3);
        final Map<String, Integer> expected = new HashMap<>(once(old, 1, 3));
        final Queue<RunEnded> ends = new ConcurrentLinkedQueue<>();
        try (DecidingLoop loop = booking(ends)) {
            loop.start();
            await("3 starts", () -> scene.commands().size() == 3);

            final ClusterId added = ClusterId.of(name(1, 100));
            scene.jobsWait(added, 1, 5);
            scene.put(end(added, 1));
            expected.putAll(once(added, 1, 5));
            await("the new cluster's jobs start", () -> scene.commands().size() == expected.size());
            await("its end is read", () -> ends.size() == 1);

            scene.jobsWait(old, 4, 4);
            expected.putAll(once(old, 4, 4));
            await("the old one goes on", () -> scene.commands().size() == expected.size());
            await("ready", () -> loop.health().isReady() && loop.health().lag() == 0);
            assertThat(loop.health().reopened()).isZero();

            scene.put(end(added, 2));
            await("both ends are booked", () -> booked(added) == 2);
            ends.clear();
        }
        assertThat(scene.commands()).isEqualTo(expected);
        try (DecidingLoop loop = booking(ends)) {
            loop.start();
            scene.put(end(ClusterId.of(name(1, 100)), 3));
            await("only the third end is new", () -> !ends.isEmpty());
            assertThat(ends).extracting(RunEnded::run).containsExactly(3);
        }
        assertThat(scene.commands()).isEqualTo(expected);
    }

    private long booked(final ClusterId cluster) {
        return scene.committed(Topic.LEDGER).stream()
                .filter(record -> new String(record.key(), StandardCharsets.UTF_8).startsWith(cluster + "/"))
                .count();
    }

    /** Starts everything, and books each ended run, which is read once per commit. */
    private DecidingLoop booking(final Queue<RunEnded> ends) {
        return new DecidingLoop(
                PlanEverything.settings(scene.bootstrap, scene.name),
                partition -> new PlanEverything(scene.name) {
                    @Override
                    public void apply(final LogRecord record) {
                        super.apply(record);
                        if (record.key().startsWith(scene.name) && record.event() instanceof RunEnded end) {
                            ends.add(end);
                        }
                    }
                },
                Clock.systemUTC());
    }

    /** A cluster on a partition that {@link Scene#clusterOn} does not name. */
    private String name(final int partition, final int from) {
        int number = from;
        while (Topics.shardOf(ClusterId.of(scene.name + "-" + number), Scene.PARTITIONS) != partition) {
            number++;
        }
        return scene.name + "-" + number;
    }

    private static RunEnded end(final ClusterId cluster, final int run) {
        return RunEnded.of(
                Scene.waiting(Scene.job(cluster, 99)),
                run,
                Scene.LONG_AGO,
                Scene.LONG_AGO.plusSeconds(60),
                new RunOutcome.Exited(0),
                0,
                "local");
    }

    @Test
    void a_command_to_a_cluster_without_topics_is_left_out_and_creates_none() throws Exception {
        final ClusterId cluster = scene.clusterOn(1);
        final ClusterId unknown = ClusterId.of(name(1, 200));
        scene.jobsWait(cluster, 1, 1);
        try (DecidingLoop loop = new DecidingLoop(
                        scene.settings(),
                        partition -> new StartEverything(scene.name) {
                            @Override
                            public List<OutgoingEvent> decide(final Instant now) {
                                final List<OutgoingEvent> both = new ArrayList<>();
                                for (final OutgoingEvent start : super.decide(now)) {
                                    both.add(start);
                                    both.add(OutgoingEvent.put(
                                            elsewhere((Command) ((OutgoingEvent.Put) start).event())));
                                }
                                return both;
                            }

                            private Command elsewhere(final Command start) {
                                return new Command(
                                        start.id(),
                                        unknown,
                                        start.issuer(),
                                        start.basedOn(),
                                        start.issuedAt(),
                                        start.validUntil(),
                                        start.preconditions(),
                                        start.action(),
                                        start.reason());
                            }
                        },
                        Clock.systemUTC());
                Admin admin = Clients.openAdmin(scene.bootstrap, Stack.PATIENT)) {
            loop.start();
            await("the other one starts", () -> scene.commands().size() == 1);
            await("ready", () -> loop.health().isReady());
            assertThat(loop.health().reopened()).isZero();
            assertThat(admin.listTopics().names().get()).doesNotContain(Topic.COMMANDS.topicName(unknown));
        }
    }

    @Test
    void an_event_about_a_cluster_without_topics_fails_with_the_remedy_and_creates_none() throws Exception {
        final ClusterId unknown = ClusterId.of(name(1, 300));
        try (EventSink sink = new EventSink(scene.bootstrap, "test", Clock.systemUTC(), Stack.PATIENT);
                Admin admin = Clients.openAdmin(scene.bootstrap, Stack.PATIENT)) {
            assertThatThrownBy(() -> sink.put(scene.marker(unknown)).join())
                    .hasCauseInstanceOf(NoSuchClusterException.class)
                    .hasMessageContainingAll(unknown.value(), "the agent of the cluster creates it");
            assertThat(admin.listTopics().names().get()).noneMatch(topic -> topic.endsWith(unknown.value()));
        }
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
