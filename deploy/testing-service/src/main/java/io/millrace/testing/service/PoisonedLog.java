package io.millrace.testing.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.Topics;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.Event;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes records that no component of Millrace would write, on every topic: samples of all events with a damaged field, and records that are not
 * events at all. Most damaged events can be read, and are wrong.
 */
public final class PoisonedLog {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant WRITTEN = Instant.parse("2026-11-28T12:00:00Z");
    private static final int LARGE = 900 * 1024;
    /** So that the records of a run fit into a small folder. */
    private static final int ONE_LARGE_IN = 40;

    private static final List<String> HOSTILE = List.of(
            "null",
            "true",
            "{}",
            "[]",
            "\"\"",
            "-1",
            "0",
            "9223372036854775807",
            "-9223372036854775808",
            "123456789012345678901234567890",
            "1e308",
            "-0.5",
            "\"9999-12-31T23:59:59Z\"",
            "\"+1000000000-12-31T23:59:59.999999999Z\"",
            "\"-1000000000-01-01T00:00:00Z\"",
            "\"PT-1S\"",
            "\"PT2562047788015215H30M7S\"",
            "\"../../etc/passwd\"",
            "\"a/b@c:d[1-99999999]\"",
            "\"\\u0000\\u202e\\ud800\"",
            "\"(a+)+$\"",
            "[" + "null,".repeat(999) + "null]",
            "[".repeat(900) + "]".repeat(900),
            "[".repeat(2_000) + "]".repeat(2_000));

    private final Random random;
    private final EventCodec codec = new EventCodec("stranger");
    private final Map<Topic, Integer> partitions = new EnumMap<>(Topic.class);

    private PoisonedLog(final long seed) {
        random = new Random(seed);
    }

    /** A sample of an event and its type. */
    private record Sample(EventType type, JsonNode json) {}

    /** Writes about {@code count} damaged events, and records on each topic that are not events. */
    public static void write(final String servers, final long seed, final int count) {
        final PoisonedLog poison = new PoisonedLog(seed);
        final List<Sample> samples = samples();
        samples.stream()
                .filter(sample -> sample.type().topic().isPerCluster())
                .map(sample ->
                        EventCodec.parse(bytes(sample.json()), sample.type()).cluster())
                .distinct()
                .forEach(cluster -> Topics.create(servers, cluster, 1));
        try (Producer<byte[], byte[]> producer = Clients.openProducer(Clients.producer(servers, Map.of()))) {
            for (int i = 0; i < count; i++) {
                poison.damaged(samples.get(poison.random.nextInt(samples.size())), producer)
                        .ifPresent(producer::send);
            }
            samples.forEach(sample -> poison.foreign(sample, producer).forEach(producer::send));
            producer.flush();
        }
    }

    /**
     * The sample of an event, with other texts for some that it contains, such as its id.
     *
     * @param file its name without {@code .json}
     * @param textAndOther a text, its replacement, another text…
     */
    public static Event sample(final String file, final String... textAndOther) {
        try {
            String json = Files.readString(golden().resolve(file + ".json"));
            for (int i = 0; i < textAndOther.length; i += 2) {
                json = json.replace(textAndOther[i], textAndOther[i + 1]);
            }
            return EventCodec.parse(EventCodec.utf8(json), type(file));
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    private static EventType type(final String file) {
        return EventType.named((file + ".").substring(0, (file + ".").indexOf(".v1.") + 3))
                .orElseThrow();
    }

    private static List<Sample> samples() {
        final List<Sample> samples = new ArrayList<>();
        try (Stream<Path> files = Files.list(golden())) {
            for (final Path file : files.sorted().toList()) {
                final String name = file.getFileName().toString();
                samples.add(new Sample(type(name), JSON.readTree(Files.readAllBytes(file))));
            }
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
        return samples;
    }

    private static Path golden() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("contracts/model"))) {
            folder = Objects.requireNonNull(folder.getParent(), "the tests do not run in a folder of the project");
        }
        return folder.resolve("contracts/model/src/test/resources/golden");
    }

    private Optional<ProducerRecord<byte[], byte[]>> damaged(
            final Sample sample, final Producer<byte[], byte[]> producer) {
        final JsonNode json = sample.json().deepCopy();
        for (int edit = 0; edit <= random.nextInt(3); edit++) {
            damage(json);
        }
        final byte[] value = bytes(json);
        final ProducerRecord<byte[], byte[]> original = original(sample, producer);
        byte[] key = original.key();
        try {
            key = EventCodec.utf8(EventCodec.parse(value, sample.type()).key());
        } catch (final UnreadableMessageException e) {
            // It goes under the key of the sample.
        }
        return key.length + value.length > EventCodec.MAX_RECORD_BYTES
                ? Optional.empty()
                : Optional.of(copy(original, key, value));
    }

    private void damage(final JsonNode root) {
        JsonNode node = root;
        while (true) {
            final int size = node.size();
            if (size == 0) {
                return;
            }
            final int which = random.nextInt(size);
            final JsonNode child =
                    node instanceof ObjectNode object ? object.get(name(object, which)) : node.get(which);
            if (child.size() > 0 && random.nextInt(3) > 0) {
                node = child;
                continue;
            }
            if (node instanceof ObjectNode object) {
                damage(object, name(object, which));
            } else if (node instanceof ArrayNode array) {
                array.set(which, hostile());
            }
            return;
        }
    }

    private void damage(final ObjectNode object, final String field) {
        switch (random.nextInt(8)) {
            case 0 -> object.remove(field);
            case 1 -> object.set(field + "New", hostile());
            default -> object.set(field, hostile());
        }
    }

    private static String name(final ObjectNode object, final int index) {
        final var names = object.fieldNames();
        for (int i = 0; i < index; i++) {
            names.next();
        }
        return names.next();
    }

    private ValueNode hostile() {
        final String text = random.nextInt(ONE_LARGE_IN) == 0
                ? '"' + "x".repeat(LARGE) + '"'
                : HOSTILE.get(random.nextInt(HOSTILE.size()));
        return JSON.getNodeFactory().rawValueNode(new RawValue(text));
    }

    private List<ProducerRecord<byte[], byte[]>> foreign(final Sample sample, final Producer<byte[], byte[]> producer) {
        final ProducerRecord<byte[], byte[]> original = original(sample, producer);
        final byte[] key = original.key();
        final byte[] value = original.value();
        final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        records.add(copy(original, key, EventCodec.utf8("{\u0000")));
        records.add(copy(original, key, new byte[] {(byte) 0xff, (byte) 0xfe, 0}));
        records.add(copy(original, EventCodec.utf8("/"), value));
        records.add(copy(original, EventCodec.utf8(""), null));
        records.add(copy(original, EventCodec.utf8("x/job/1"), null));
        records.add(new ProducerRecord<>(original.topic(), original.partition(), key, value));
        final ProducerRecord<byte[], byte[]> future = copy(original, key, value);
        future.headers().remove("ce_type").add("ce_type", EventCodec.utf8("millrace.from.the.future.v9"));
        records.add(future);
        final ProducerRecord<byte[], byte[]> empty = copy(original, key, value);
        empty.headers().remove("ce_type").add("ce_type", new byte[0]);
        records.add(empty);
        return records;
    }

    private ProducerRecord<byte[], byte[]> original(final Sample sample, final Producer<byte[], byte[]> producer) {
        final Event event = EventCodec.parse(bytes(sample.json()), sample.type());
        return codec.write(
                event,
                WRITTEN,
                partitions.computeIfAbsent(sample.type().topic(), topic -> Topics.partitions(producer, topic)));
    }

    private static ProducerRecord<byte[], byte[]> copy(
            final ProducerRecord<byte[], byte[]> original, final byte[] key, final byte @Nullable [] value) {
        return new ProducerRecord<>(original.topic(), original.partition(), key, value, original.headers());
    }

    private static byte[] bytes(final JsonNode json) {
        try {
            return JSON.writeValueAsBytes(json);
        } catch (final JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
