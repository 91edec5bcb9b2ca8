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
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import io.millrace.model.policy.Request;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Stack;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a decider knows after a start: all of the compacted topics, an hour of commands, and each submission once. */
class ReplayStartIT {

    private final Scene scene = Scene.onTheStack();

    @AfterEach
    void close() {
        scene.close();
    }

    private DecidingLoop loop() {
        return new DecidingLoop(scene.settings(), partition -> new StartEverything(scene.name), Clock.systemUTC());
    }

    @Test
    void a_replay_over_compaction_gives_the_last_state_of_every_key() throws Exception {
        final ClusterId cluster = scene.clusterOn(1);
        final JobState held = new JobState.Held(HoldKind.USER);
        compactEagerly(cluster, "1", "0.001");
        try {
            for (int round = 0; round < 20; round++) {
                for (int number = 1; number <= 10; number++) {
                    scene.put(waiting(job(cluster, number)).in(round % 2 == 0 ? new JobState.Queued() : held));
                }
                scene.put(scene.marker(cluster));
            }
            // At the end 1 to 3 wait, 4 to 6 are gone, 7 to 10 are held by their owner.
            for (int number = 1; number <= 6; number++) {
                scene.put(waiting(job(cluster, number)));
            }
            for (int number = 4; number <= 6; number++) {
                scene.send(OutgoingEvent.remove(Topic.CLUSTER_STATE, JobObserved.keyOf(job(cluster, number)), cluster))
                        .join();
            }
            scene.put(scene.marker(cluster));
            await("the broker has compacted", () -> {
                scene.put(scene.marker(cluster));
                Sleep.sleep(Duration.ofMillis(500));
                return recordsOf(cluster) < 60;
            });
        } finally {
            compactEagerly(cluster, Long.toString(Duration.ofHours(6).toMillis()), "0.2");
        }
        try (DecidingLoop loop = new DecidingLoop(
                scene.settings(),
                partition -> new StartEverything(scene.name) {
                    @Override
                    public List<OutgoingEvent> decide(final Instant now) {
                        return super.decide(now).stream()
                                .filter(say -> !isHeld(say))
                                .toList();
                    }
                },
                Clock.systemUTC())) {
            loop.start();
            await(
                    "it decides",
                    () -> loop.health().isReady() && scene.commands().size() >= 3);
            scene.jobsWait(cluster, 11, 11);
            await(
                    "a new job starts",
                    () -> scene.commands().containsKey(job(cluster, 11).toString()));
        }
        final Map<String, Integer> expected = new HashMap<>(once(cluster, 1, 3));
        expected.putAll(once(cluster, 11, 11));
        assertThat(scene.commands()).isEqualTo(expected);
    }

    @Test
    void a_replay_leaves_out_states_that_later_readable_ones_replace() {
        final ClusterId cluster = scene.clusterOn(1);
        final int versions = 200;
        for (int version = 1; version < versions; version++) {
            scene.put(waiting(job(cluster, 1)).in(new JobState.Held(HoldKind.USER)));
        }
        scene.put(waiting(job(cluster, 1)));
        putUnreadable(waiting(job(cluster, 1)));
        scene.put(scene.marker(cluster));
        final List<JobState> applied = Collections.synchronizedList(new ArrayList<>());

        try (DecidingLoop loop = new DecidingLoop(
                scene.settings(),
                partition -> new StartEverything(scene.name) {
                    @Override
                    public void apply(final LogRecord record) {
                        if (record.event() instanceof JobObserved observed
                                && observed.job().equals(job(cluster, 1))) {
                            applied.add(observed.state());
                        }
                        super.apply(record);
                    }
                },
                Clock.systemUTC())) {
            loop.start();
            await("it decides", () -> scene.commands().size() == 1);
        }
        assertThat(applied).hasSizeLessThan(versions).endsWith(new JobState.Queued());
    }

    private void putUnreadable(final JobObserved instead) {
        final ProducerRecord<byte[], byte[]> record =
                new EventCodec("agent").write(instead, Instant.now(), Scene.PARTITIONS);
        try (Producer<byte[], byte[]> writer = Clients.openProducer(Clients.producer(scene.bootstrap, Stack.PATIENT))) {
            writer.send(new ProducerRecord<>(
                    record.topic(), record.partition(), record.key(), EventCodec.utf8("{"), record.headers()));
        }
    }

    /** Jobs 7 to 10 wait for their owners. */
    private static boolean isHeld(final OutgoingEvent say) {
        return say instanceof OutgoingEvent.Put put
                && put.event() instanceof io.millrace.model.command.Command command
                && command.action() instanceof io.millrace.model.command.Action.Start start
                && List.of("7", "8", "9", "10").contains(start.job().id().local());
    }

    private long recordsOf(final ClusterId cluster) {
        return scene.committed(Topic.CLUSTER_STATE).stream()
                .filter(record ->
                        new String(record.key(), java.nio.charset.StandardCharsets.UTF_8).startsWith(cluster + "/job/"))
                .count();
    }

    private void compactEagerly(final ClusterId cluster, final String segmentMs, final String ratio) throws Exception {
        final ConfigResource topic =
                new ConfigResource(ConfigResource.Type.TOPIC, Topic.CLUSTER_STATE.topicName(cluster));
        final Collection<AlterConfigOp> ops = new ArrayList<>();
        Map.of("segment.ms", segmentMs, "min.cleanable.dirty.ratio", ratio)
                .forEach((name, value) ->
                        ops.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
        try (Admin admin = Clients.openAdmin(scene.bootstrap, Stack.PATIENT)) {
            admin.incrementalAlterConfigs(Map.of(topic, ops)).all().get();
        }
    }

    @Test
    void what_a_predecessor_said_behind_a_foreign_open_transaction_is_waited_for() throws Exception {
        final ClusterId cluster = scene.clusterOn(2);
        final Map<String, Object> patient =
                Map.of("transaction.timeout.ms", 900_000, "max.block.ms", 300_000, "delivery.timeout.ms", 300_000);
        try (Producer<byte[], byte[]> foreign = Clients.openProducer(
                Clients.transactionalProducer(scene.bootstrap, "foreign-" + scene.name, patient))) {
            try (DecidingLoop predecessor = loop()) {
                predecessor.start();
                await("it is ready", () -> predecessor.health().isReady());
                foreign.initTransactions();
                foreign.beginTransaction();
                final JobObserved other = waiting(job(ClusterId.of("someone-elses"), 1));
                foreign.send(new org.apache.kafka.clients.producer.ProducerRecord<>(
                                Topic.COMMANDS.topicName(cluster), 0, EventCodec.utf8("x"), EventCodec.json(other)))
                        .get();
                scene.jobsWait(cluster, 1, 2);
                await("it has decided", () -> predecessor.health().decisions() == 1);
            }
            assertThat(scene.commands())
                    .as("hidden behind the open transaction")
                    .isEmpty();
            try (DecidingLoop successor = loop()) {
                successor.start();
                await(
                        "the other shards decide",
                        () -> successor.health().assigned().size() == Scene.PARTITIONS);
                // Long enough for a shard that did not wait to be caught up; the next line fails then.
                Sleep.sleep(Duration.ofSeconds(2));
                assertThat(successor.health().caughtUp()).isFalse();
                foreign.abortTransaction();
                await("it has caught up", () -> successor.health().isReady());
                assertThat(successor.health().decisions()).isZero();
            }
        }
        assertThat(scene.commands()).isEqualTo(once(cluster, 1, 2));
    }

    /** Answers every submission with one request; remembers nothing beyond that. */
    private static final class Answering implements Decider {
        private final String scene;
        private final Collection<GlobalJobId> seen;
        private final List<GlobalJobId> open = new ArrayList<>();

        Answering(final String scene, final Collection<GlobalJobId> seen) {
            this.scene = scene;
            this.seen = seen;
        }

        @Override
        public void apply(final LogRecord record) {
            if (record.event() instanceof JobSubmitted submitted
                    && submitted.signature().equals(scene)) {
                seen.add(submitted.job());
                open.add(submitted.job());
            }
        }

        @Override
        public List<OutgoingEvent> decide(final Instant now) {
            final List<OutgoingEvent> says = open.stream()
                    .map(job -> OutgoingEvent.put(
                            new Request.TransferCancelRequested(TransferId.of(job.value()), scene, now)))
                    .toList();
            open.clear();
            return says;
        }
    }

    @Test
    void a_submission_is_handled_once_per_commit_over_restarts() {
        final Map<String, Integer> expected = new HashMap<>();
        for (int start = 0; start < 3; start++) {
            final Collection<GlobalJobId> seen = new ConcurrentLinkedQueue<>();
            final List<GlobalJobId> jobs = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                jobs.add(submit(start * 10 + i));
                expected.put(jobs.get(i).value(), 1);
            }
            try (DecidingLoop loop = new DecidingLoop(
                    LoopSettings.of(scene.bootstrap, Service.QUOTA, scene.service(), Topic.SUBMISSIONS)
                            .withContext(Topic.CLUSTER_STATE, Topic.JOB_ENDS),
                    partition -> new Answering(scene.name, seen),
                    Clock.systemUTC())) {
                loop.start();
                await("all answered", () -> requests().size() == expected.size());
                assertThat(loop.health().assigned()).containsExactly(0);
            }
            assertThat(seen).containsExactlyElementsOf(jobs);
        }
        assertThat(requests()).isEqualTo(expected);
    }

    @Test
    void a_submission_that_was_read_but_not_decided_on_is_read_again() {
        final Collection<GlobalJobId> seen = new ConcurrentLinkedQueue<>();
        final LoopSettings prompt = LoopSettings.of(scene.bootstrap, Service.QUOTA, scene.service(), Topic.SUBMISSIONS);
        final LoopSettings hesitant = prompt.withDebounce(Duration.ofMinutes(5));
        final GlobalJobId job;
        try (DecidingLoop loop =
                new DecidingLoop(hesitant, partition -> new Answering(scene.name, seen), Clock.systemUTC())) {
            loop.start();
            await("it is ready", () -> loop.health().isReady());
            job = submit(1);
            await("it was read", () -> seen.contains(job));
            // Longer than the pause between commits of offsets alone.
            Sleep.sleep(Duration.ofSeconds(7));
        }
        try (DecidingLoop loop =
                new DecidingLoop(prompt, partition -> new Answering(scene.name, seen), Clock.systemUTC())) {
            loop.start();
            await("it is answered", () -> requests().equals(Map.of(job.value(), 1)));
        }
        assertThat(seen).containsExactly(job, job);
    }

    /** Its decisions rest on offsets that another member may continue from. */
    @Test
    void a_member_that_the_group_has_dropped_handles_no_submission_until_it_is_back() throws Exception {
        final Collection<GlobalJobId> seen = new ConcurrentLinkedQueue<>();
        // It hears of its removal late, so it decides in the belief of being a member.
        final LoopSettings hardOfHearing = LoopSettings.of(
                        scene.bootstrap, Service.QUOTA, scene.service(), Topic.SUBMISSIONS)
                .withClient(Map.of("session.timeout.ms", 45_000, "heartbeat.interval.ms", 14_000));
        try (DecidingLoop loop = new DecidingLoop(
                        hardOfHearing, partition -> new Answering(scene.name, seen), Clock.systemUTC());
                Admin admin = Clients.openAdmin(scene.bootstrap, Stack.PATIENT)) {
            loop.start();
            final Map<String, Integer> expected = new HashMap<>();
            expected.put(submit(1).value(), 1);
            await("the first is answered", () -> requests().equals(expected));
            // A heartbeat may tell it of its removal before it decides; then it is removed once more.
            for (int next = 2; loop.health().fenced() == 0; next++) {
                admin.removeMembersFromConsumerGroup(scene.service(), new RemoveMembersFromConsumerGroupOptions())
                        .all()
                        .get();
                expected.put(submit(next).value(), 1);
                await("all are answered, each once", () -> requests().equals(expected));
            }
        }
    }

    private GlobalJobId submit(final int number) {
        final String digits = Integer.toString(scene.name.hashCode() & 0x7fffffff);
        final GlobalJobId id = GlobalJobId.of(
                ("0" + digits + "0000000000000000000000000").substring(0, 24) + String.format("%02d", number));
        final JobSpec spec = new JobSpec(
                "x",
                "#!/bin/sh\n",
                null,
                Resources.cores(1),
                Duration.ofMinutes(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        scene.put(new JobSubmitted(
                id, 1, UserName.of("anna"), spec, ClusterId.of("alpha"), "/home", null, Instant.now(), scene.name));
        return id;
    }

    private Map<String, Integer> requests() {
        return scene.committed(Topic.REQUESTS).stream()
                .filter(record -> EventCodec.header(record.headers(), "ce_source")
                        .orElse("")
                        .endsWith(scene.service()))
                .map(record -> EventCodec.read(record).orElseThrow().key())
                .collect(Collectors.toMap(key -> key, key -> 1, Integer::sum));
    }

    @Test
    void a_decider_is_woken_at_the_time_it_asked_for() {
        final GlobalJobId job = GlobalJobId.of("01JNFQ6M5T8W3KZX9B2C4D7E1F");
        final Instant began = Instant.now();
        final Collection<Instant> calls = new ConcurrentLinkedQueue<>();
        final Decider alarm = new Decider() {
            private final Instant at = began.plusSeconds(4);
            private boolean rung;

            @Override
            public void apply(final LogRecord record) {
                // Only time matters to it.
            }

            @Override
            public List<OutgoingEvent> decide(final Instant now) {
                calls.add(now);
                if (rung || now.isBefore(at)) {
                    return List.of();
                }
                rung = true;
                return List.of(OutgoingEvent.put(new StopRequested(job, UserName.of("anna"), at, scene.name)));
            }

            @Override
            public Optional<Instant> wakeAt() {
                return Optional.of(at);
            }
        };
        try (DecidingLoop loop = new DecidingLoop(
                LoopSettings.of(scene.bootstrap, Service.QUOTA, scene.service(), Topic.REQUESTS),
                p -> alarm,
                Clock.systemUTC())) {
            loop.start();
            await("it rings", () -> loop.health().decisions() == 1);
            assertThat(loop.health().lastDecision()).isAfterOrEqualTo(began.plusSeconds(4));
        }
        // A wish that stays although it has passed is no busy loop.
        assertThat(calls.size())
                .isLessThan(10 + (int) Duration.between(began, Instant.now()).toSeconds() * 2);
    }
}
