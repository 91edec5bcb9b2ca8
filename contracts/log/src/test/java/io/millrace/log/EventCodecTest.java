package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.Event;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Plan;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.Usage;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class EventCodecTest {

    private static final Instant NOW = Instant.parse("2026-03-01T08:00:00.123Z");
    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final NodeObserved NODE = new NodeObserved(
            ALPHA,
            NodeName.of("n1"),
            NodeObserved.Availability.UP,
            Resources.cores(4),
            Resources.NONE,
            null,
            List.of(),
            List.of());

    private final EventCodec codec = new EventCodec("agent/alpha");

    @Test
    void an_event_is_a_cloudevent_in_binary_mode() {
        final ProducerRecord<byte[], byte[]> record = codec.write(NODE, NOW, 12);
        final Map<String, String> headers = StreamSupport.stream(
                        record.headers().spliterator(), false)
                .collect(Collectors.toMap(h -> h.key(), h -> text(h.value()), (a, b) -> b, TreeMap::new));
        assertThat(headers)
                .containsEntry("ce_specversion", "1.0")
                .containsEntry("ce_type", "millrace.node.observed.v1")
                .containsEntry("ce_source", "/millrace/agent/alpha")
                .containsEntry("ce_subject", "alpha/node/n1")
                .containsEntry("ce_time", "2026-03-01T08:00:00.123Z")
                .containsEntry("content-type", "application/json")
                .containsKey("ce_id");
        assertThat(record.topic()).isEqualTo("millrace.cluster-state.alpha");
        assertThat(text(record.key())).isEqualTo("alpha/node/n1");
        assertThat(text(record.value()))
                .isEqualTo("{\"cluster\":\"alpha\",\"node\":\"n1\",\"availability\":\"UP\","
                        + "\"total\":{\"cores\":4,\"nodes\":0,\"memoryMib\":0,\"gpus\":0},"
                        + "\"free\":{\"cores\":0,\"nodes\":0,\"memoryMib\":0,\"gpus\":0},"
                        + "\"features\":[],\"partitions\":[]}");
    }

    @Test
    void what_was_written_is_read_back_with_its_place_and_time() {
        final LogRecord read =
                EventCodec.read(consumed(codec.write(NODE, NOW, 12))).orElseThrow();
        assertThat(read).isEqualTo(new LogRecord(Topic.CLUSTER_STATE, 0, 7, NOW, NODE.key(), NODE));
    }

    @Test
    void a_removed_key_is_a_tombstone_on_the_topic_of_its_cluster() {
        final ProducerRecord<byte[], byte[]> record =
                codec.write(OutgoingEvent.remove(Topic.CLUSTER_STATE, NODE.key(), ALPHA), NOW, 12);
        assertThat(record.topic()).isEqualTo(codec.write(NODE, NOW, 12).topic());
        final LogRecord read = EventCodec.read(consumed(record)).orElseThrow();
        assertThat(read.isTombstone()).isTrue();
        assertThat(read.key()).isEqualTo(NODE.key());
    }

    @Test
    void only_compacted_topics_forget_a_key() {
        assertThatThrownBy(() -> OutgoingEvent.remove(Topic.COMMANDS, "alpha", ALPHA))
                .hasMessageContaining("millrace.commands");
        assertThatThrownBy(() -> EventCodec.read(record(Topic.COMMANDS, "alpha", "millrace.command.issued.v1", null)))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("tombstones");
    }

    @Test
    void a_cluster_has_the_same_partition_on_every_topic_that_is_spread_by_cluster() {
        for (int i = 0; i < 100; i++) {
            final ClusterId cluster = ClusterId.of("cluster-" + i);
            final Set<Integer> partitions = new LinkedHashSet<>();
            for (final Topic topic : Topic.values()) {
                if (topic.spread() == Topic.Spread.BY_CLUSTER) {
                    partitions.add(Topics.partitionOf(topic, cluster, 12));
                }
            }
            assertThat(partitions).containsExactly(Topics.shardOf(cluster, 12));
        }
        assertThat(Topics.partitionOf(Topic.GLOBAL_JOBS, ALPHA, 1)).isZero();
        assertThat(Topics.partitionOf(Topic.CLASSES, null, 12)).isZero();
    }

    @Test
    void the_same_command_has_the_same_id_on_the_log_whenever_it_is_written() {
        final ConsumerRecord<byte[], byte[]> start = golden(Topic.COMMANDS, "millrace.command.issued.v1", "start");
        final var event = EventCodec.read(start).orElseThrow().event();
        final var one = codec.write(event, NOW, 3).headers().lastHeader("ce_id").value();
        final var other = codec.write(event, NOW.plusSeconds(9), 3)
                .headers()
                .lastHeader("ce_id")
                .value();
        assertThat(text(one)).isEqualTo(text(other)).isEqualTo("backfill:start:alpha/4711_7@2026-03-01T07:59:58Z:0");
    }

    @Test
    void sets_and_maps_are_written_in_one_order() {
        final Set<Capability> forwards = new LinkedHashSet<>(List.of(Capability.values()));
        final Set<Capability> backwards =
                new LinkedHashSet<>(List.of(Capability.values()).reversed());
        assertThat(EventCodec.json(marker(forwards))).isEqualTo(EventCodec.json(marker(backwards)));
        assertThat(text(EventCodec.json(marker(forwards))))
                .contains("[\"ACCOUNTING\",\"ALTER\",\"CHECKPOINT\",\"DRY_RUN\",\"HOLD\",\"LIMIT\"");
    }

    private static RevisionClosed marker(final Set<Capability> capabilities) {
        return new RevisionClosed(
                ALPHA,
                1,
                NOW,
                new WlmHealth.Answering(),
                Control.NATIVE,
                "local",
                Resources.NONE,
                Resources.NONE,
                capabilities,
                0,
                null,
                null,
                Map.of());
    }

    @Test
    void a_field_of_a_newer_release_is_ignored_except_in_a_command() {
        final String usage = "{\"cluster\":\"alpha\",\"user\":\"bob\",\"guaranteedCores\":1,\"borrowedCores\":2,"
                + "\"waitingCores\":3,\"quotaCores\":4,\"requestedCoreSeconds\":5,\"gpuHours\":5}";
        final ConsumerRecord<byte[], byte[]> record =
                record(Topic.USAGE, "alpha/bob", EventType.USAGE.typeName(), usage);
        assertThat(EventCodec.read(record).orElseThrow().event())
                .isEqualTo(new Usage(ALPHA, UserName.of("bob"), 1, 2, 3, 4, 5));
        assertThatThrownBy(() -> EventCodec.readStrict(record)).hasMessageContaining("field 'gpuHours'");
    }

    @Test
    void a_submission_without_a_valid_number_is_refused() {
        final String json = text(
                golden(Topic.SUBMISSIONS, "millrace.job.submitted.v1", "free").value());
        final String without = json.replaceFirst("\"number\" : \\d+", "\"number\" : 0");
        assertThat(without).isNotEqualTo(json);
        assertThatThrownBy(() -> EventCodec.parse(without.getBytes(StandardCharsets.UTF_8), EventType.JOB_SUBMITTED))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("must be at least 1, got 0");
    }

    @Test
    void a_command_with_an_unknown_field_is_refused_and_can_still_be_answered() {
        final ConsumerRecord<byte[], byte[]> start = golden(Topic.COMMANDS, "millrace.command.issued.v1", "start");
        final ConsumerRecord<byte[], byte[]> newer = record(
                Topic.COMMANDS,
                "alpha",
                EventType.COMMAND.typeName(),
                text(start.value()).replace("\"kind\" : \"start\",", "\"kind\" : \"start\", \"nice\" : 5,"));
        assertThatThrownBy(() -> EventCodec.read(newer))
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContaining("field 'action.nice'");
        assertThat(EventCodec.headOf(newer).orElseThrow().unsupported(NOW, "field 'action.nice' is not known"))
                .satisfies(answer -> {
                    assertThat(answer.command())
                            .isEqualTo(CommandId.of("backfill:start:alpha/4711_7@2026-03-01T07:59:58Z:0"));
                    assertThat(answer.cluster()).isEqualTo(ALPHA);
                    assertThat(answer.issuer()).isEqualTo(Issuer.BACKFILL);
                    assertThat(answer.action()).isEqualTo("start");
                    assertThat(answer.subject()).isEqualTo("alpha/4711_7@2026-03-01T07:59:58Z");
                    assertThat(answer.result())
                            .isEqualTo(new Result.Refused(Refusal.UNSUPPORTED, "field 'action.nice' is not known"));
                });
    }

    @Test
    void a_command_with_an_unknown_action_can_still_be_answered() {
        final ConsumerRecord<byte[], byte[]> start = golden(Topic.COMMANDS, "millrace.command.issued.v1", "start");
        final ConsumerRecord<byte[], byte[]> newer = record(
                Topic.COMMANDS,
                "alpha",
                EventType.COMMAND.typeName(),
                text(start.value())
                        .replace("\"kind\" : \"start\"", "\"kind\" : \"teleport\"")
                        .replace(":start:", ":teleport:"));
        assertThatThrownBy(() -> EventCodec.read(newer)).hasMessageContaining("teleport");
        assertThat(EventCodec.headOf(newer).orElseThrow().action()).isEqualTo("teleport");
        assertThat(EventCodec.headOf(record(Topic.COMMANDS, "alpha", EventType.COMMAND.typeName(), "{}")))
                .isEmpty();
        assertThat(EventCodec.headOf(record(Topic.COMMANDS, "alpha", EventType.COMMAND.typeName(), null)))
                .isEmpty();
    }

    @Test
    void a_type_of_a_newer_release_is_skipped() {
        assertThat(EventCodec.read(record(Topic.PLANS, "alpha", "millrace.job.planned.v2", "{}")))
                .isEqualTo(Optional.empty());
    }

    @Test
    void what_cannot_be_understood_says_which_field_and_why() {
        refused("{}", "field 'cluster'", "required");
        refused(node("\"node\":null"), "field 'node'", "null");
        refused(node("\"node\":\"has blank\""), "field 'node'", "has blank");
        refused(node("\"node\":7"), "field 'node'");
        refused(node("\"availability\":\"SIDEWAYS\""), "field 'availability'", "SIDEWAYS");
        refused(node("\"availability\":1"), "field 'availability'");
        refused(node("\"free\":{\"cores\":1,\"nodes\":0,\"memoryMib\":0}"), "field 'free.gpus'", "required");
        refused(node("\"free\":{\"cores\":-1,\"nodes\":0,\"memoryMib\":0,\"gpus\":0}"), "field 'free'", "negative");
        refused(node("\"free\":{\"cores\":1.5,\"nodes\":0,\"memoryMib\":0,\"gpus\":0}"), "field 'free.cores'");
        refused(node("\"free\":{\"cores\":\"1\",\"nodes\":0,\"memoryMib\":0,\"gpus\":0}"), "field 'free.cores'");
        refused(node("\"free\":{\"cores\":99999999999,\"nodes\":0,\"memoryMib\":0,\"gpus\":0}"), "field 'free.cores'");
        refused("{\"cluster\":\"alpha\"", "not JSON");
        refused("{\"cluster\":\"alpha\",\"cluster\":\"beta\"}", "Duplicate field");
        refused("[]", "Array");
        refused("null", "null");
        refused("", "millrace.node.observed.v1");
    }

    private static void refused(final String json, final String... words) {
        assertThatThrownBy(() -> EventCodec.parse(json.getBytes(StandardCharsets.UTF_8), EventType.NODE_OBSERVED))
                .as(json)
                .isInstanceOf(UnreadableMessageException.class)
                .hasMessageContainingAll(words);
    }

    /** A good node with one field replaced. */
    private static String node(final String field) {
        final String name = field.substring(0, field.indexOf(':'));
        final Map<String, String> fields = new TreeMap<>(Map.of(
                "\"cluster\"", "\"cluster\":\"alpha\"",
                "\"node\"", "\"node\":\"n1\"",
                "\"availability\"", "\"availability\":\"UP\"",
                "\"total\"", "\"total\":{\"cores\":1,\"nodes\":0,\"memoryMib\":0,\"gpus\":0}",
                "\"free\"", "\"free\":{\"cores\":1,\"nodes\":0,\"memoryMib\":0,\"gpus\":0}"));
        fields.put(name, field);
        return "{" + String.join(",", fields.values()) + "}";
    }

    @Test
    void a_time_without_a_unit_and_a_part_without_a_kind_are_refused() {
        final String event = text(golden(Topic.TRANSFERS, EventType.TRANSFER.typeName(), "copying")
                .value());
        final EventType type = EventType.TRANSFER;
        assertThatThrownBy(() -> EventCodec.parse(
                        event.replace("\"2026-03-01T08:00:05Z\"", "1772352005").getBytes(StandardCharsets.UTF_8), type))
                .hasMessageContaining("field 'since'");
        assertThatThrownBy(() -> EventCodec.parse(
                        event.replace("\"kind\" : \"copying\",", "").getBytes(StandardCharsets.UTF_8), type))
                .hasMessageContaining("field 'state'")
                .hasMessageContaining("kind");
    }

    @Test
    void headers_and_key_must_fit_the_event() {
        final String json = text(EventCodec.json(NODE));
        final String typeName = EventType.NODE_OBSERVED.typeName();
        assertThatThrownBy(() -> EventCodec.read(record(Topic.CLUSTER_STATE, NODE.key(), null, json)))
                .hasMessageContaining("ce_type");
        assertThatThrownBy(() -> EventCodec.read(record(Topic.USAGE, NODE.key(), typeName, json)))
                .hasMessageContaining("belongs on millrace.cluster-state");
        assertThatThrownBy(() -> EventCodec.read(record(Topic.CLUSTER_STATE, "beta/node/n1", typeName, json)))
                .hasMessageContaining("beta/node/n1");
        assertThatThrownBy(() -> EventCodec.read(record(Topic.CLUSTER_STATE, null, typeName, json)))
                .hasMessageContaining("no key");
    }

    @Attack("an agent writes events about another cluster to the topics of its own")
    @Test
    void every_event_on_the_topic_of_a_cluster_is_about_that_cluster() throws IOException {
        final Set<EventType> tried = EnumSet.noneOf(EventType.class);
        try (Stream<Path> samples = Files.list(Path.of("../model/src/test/resources/golden"))) {
            for (final Path sample : samples.sorted().toList()) {
                final String name = sample.getFileName().toString();
                final EventType type = EventType.named(name.substring(0, name.indexOf(".v1.") + 3))
                        .orElseThrow();
                if (type.topic().isPerCluster()) {
                    foreignIsRefused(type, Files.readString(sample));
                    tried.add(type);
                }
            }
        }
        assertThat(tried)
                .isEqualTo(Arrays.stream(EventType.values())
                        .filter(type -> type.topic().isPerCluster())
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(EventType.class))));
    }

    private static void foreignIsRefused(final EventType type, final String json) {
        final Event event = EventCodec.parse(json.getBytes(StandardCharsets.UTF_8), type);
        final String home = type.topic().topicName(event.cluster());
        final String other = type.topic().topicName(ClusterId.of("elsewhere"));
        final RecordHeaders headers = new RecordHeaders();
        headers.add("ce_type", EventCodec.utf8(type.typeName()));
        assertThat(EventCodec.read(record(home, event.key(), json, headers))).isPresent();
        final String disguised = event.key().replaceFirst("^" + event.cluster(), "elsewhere");
        for (final String key : List.of(event.key(), disguised)) {
            assertThatThrownBy(() -> EventCodec.read(record(other, key, json, headers)))
                    .as("%s with key %s", type, key)
                    .isInstanceOf(UnreadableMessageException.class);
        }
    }

    @Attack("an agent removes a job of another cluster with a tombstone on its own topic")
    @Test
    void a_tombstone_removes_only_keys_of_the_cluster_of_its_topic() {
        for (final String key : List.of("alpha/job/1@2026-01-01T00:00:00Z", "alpha", "gammas/marker", "gamma-1", "")) {
            assertThatThrownBy(() ->
                            EventCodec.read(record("millrace.cluster-state.gamma", key, null, new RecordHeaders())))
                    .isInstanceOf(UnreadableMessageException.class)
                    .hasMessageContaining("gamma");
        }
        assertThat(EventCodec.read(record("millrace.cluster-state.gamma", "gamma/marker", null, new RecordHeaders())))
                .isPresent();
    }

    @Test
    void a_record_over_one_mebibyte_is_not_written() {
        final JobSubmitted small =
                (JobSubmitted) EventCodec.read(golden(Topic.SUBMISSIONS, EventType.JOB_SUBMITTED.typeName(), "free"))
                        .orElseThrow()
                        .event();
        final Plan big = new Plan(small.job(), Issuer.MIGRATION, null, 0, "x".repeat(1024 * 1024), List.of());
        assertThatThrownBy(() -> codec.write(big, NOW, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(big.key(), "millrace.plans", "1048576");
        final Plan largest = new Plan(small.job(), Issuer.MIGRATION, null, 0, "x".repeat(1024 * 1024 - 800), List.of());
        assertThat(codec.write(largest, NOW, 3).value()).hasSizeGreaterThan(1024 * 1024 - 800);
    }

    @Test
    void a_dead_letter_keeps_the_message_and_says_why() {
        final ConsumerRecord<byte[], byte[]> poison =
                record(Topic.CLASSES, "k", "millrace.job.classified.v1", "{\u0000");
        final ProducerRecord<byte[], byte[]> dead = DeadLetter.of(poison, Service.QUOTA, "quota-requests", "not JSON");
        assertThat(dead.topic()).isEqualTo("millrace.dlq.quota");
        assertThat(dead.key()).isEqualTo(poison.key());
        assertThat(dead.value()).isEqualTo(poison.value());
        assertThat(EventCodec.header(dead.headers(), "ce_type")).contains("millrace.job.classified.v1");
        assertThat(EventCodec.header(dead.headers(), "millrace_reason")).contains("not JSON");
        assertThat(EventCodec.header(dead.headers(), "millrace_reader")).contains("quota-requests");
        assertThat(EventCodec.header(dead.headers(), "millrace_topic")).contains("millrace.classes");
        assertThat(EventCodec.header(dead.headers(), "millrace_partition")).contains("2");
        assertThat(EventCodec.header(dead.headers(), "millrace_offset")).contains("7");
        assertThat(poison.headers().lastHeader("millrace_reason")).isNull();
    }

    private static ConsumerRecord<byte[], byte[]> consumed(final ProducerRecord<byte[], byte[]> sent) {
        return new ConsumerRecord<>(
                sent.topic(),
                sent.partition(),
                7,
                sent.timestamp(),
                TimestampType.CREATE_TIME,
                0,
                0,
                sent.key(),
                sent.value(),
                sent.headers(),
                Optional.empty());
    }

    private static ConsumerRecord<byte[], byte[]> record(
            final Topic topic, final String key, final String typeName, final String json) {
        final RecordHeaders headers = new RecordHeaders();
        if (typeName != null) {
            headers.add("ce_type", EventCodec.utf8(typeName));
        }
        return record(topic.topicName(ALPHA), key, json, headers);
    }

    private static ConsumerRecord<byte[], byte[]> record(
            final String topicName, final String key, final String json, final RecordHeaders headers) {
        return new ConsumerRecord<>(
                topicName,
                2,
                7,
                NOW.toEpochMilli(),
                TimestampType.CREATE_TIME,
                0,
                0,
                key == null ? null : EventCodec.utf8(key),
                json == null ? null : EventCodec.utf8(json),
                headers,
                Optional.empty());
    }

    private static ConsumerRecord<byte[], byte[]> golden(
            final Topic topic, final String typeName, final String variant) {
        try {
            final byte[] json = Files.readAllBytes(
                    Path.of("../model/src/test/resources/golden", typeName + "." + variant + ".json"));
            final String key = EventCodec.parse(json, EventType.named(typeName).orElseThrow())
                    .key();
            return record(topic, key, typeName, text(json));
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(final byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
