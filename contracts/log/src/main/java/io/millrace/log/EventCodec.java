package io.millrace.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.Event;
import io.millrace.model.command.Issuer;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Events as Kafka records: CloudEvents 1.0 in binary mode (attributes in {@code ce_*} headers, JSON in the value). Thread-safe.
 *
 * <p>The CloudEvents SDK is not used: binary mode is six headers, and its Kafka module would bring a second event type, its own
 * builders and serializers for what takes twenty lines here.
 */
public final class EventCodec {

    /** Largest record in bytes: key, headers and value. */
    public static final int MAX_RECORD_BYTES = 1024 * 1024;

    private static final ObjectMapper LENIENT = ModelJson.lenient();
    private static final ObjectMapper STRICT = ModelJson.strict();

    /** By the name of the Kafka topic; there are as many as the broker has topics. */
    private static final Map<String, Origin> ORIGINS = new ConcurrentHashMap<>();

    /**
     * What a Kafka topic is for.
     *
     * @param cluster that all its events are about; null for a topic that clusters share
     */
    record Origin(Topic topic, @Nullable ClusterId cluster) {

        private static Origin of(final String topicName) {
            return new Origin(Topic.named(topicName), Topic.clusterOf(topicName).orElse(null));
        }
    }

    private final String source;

    /** @param service the writer, e.g. {@code quota-service} or {@code agent/alpha}; becomes the attribute {@code source} */
    public EventCodec(final String service) {
        this.source = "/millrace/" + service;
    }

    /**
     * The JSON of an event as written to the log.
     *
     * @throws UnwritableEventException if it has no JSON form
     */
    public static byte[] json(final Event event) {
        try {
            return LENIENT.writeValueAsBytes(event);
        } catch (final JsonProcessingException e) {
            throw new UnwritableEventException(
                    "'" + event.key() + "' cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * The record of an event.
     *
     * @param partitions of its topic
     * @throws UnwritableEventException if it is larger than {@link #MAX_RECORD_BYTES}, or has no JSON form
     */
    public ProducerRecord<byte[], byte[]> write(final Event event, final Instant time, final int partitions) {
        return write(OutgoingEvent.put(event), time, partitions);
    }

    /** As {@link #write(Event, Instant, int)}; a {@link OutgoingEvent.Remove} becomes a tombstone. */
    public ProducerRecord<byte[], byte[]> write(
            final OutgoingEvent outgoing, final Instant time, final int partitions) {
        final Topic topic = outgoing.topic();
        final int partition = Topics.partitionOf(topic, outgoing.cluster(), partitions);
        final byte[] key = utf8(outgoing.key());
        final byte[] value = outgoing instanceof OutgoingEvent.Put put ? json(put.complete()) : null;
        final ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic.topicName(outgoing.cluster()), partition, time.toEpochMilli(), key, value);
        if (outgoing instanceof OutgoingEvent.Put put) {
            attributes(record.headers(), put.event(), time);
        }
        requireSize(outgoing, record);
        return record;
    }

    /** Whether the record of an event can be written. */
    public boolean isWritable(final Event event, final Instant time) {
        try {
            write(event, time, 1);
            return true;
        } catch (final UnwritableEventException e) {
            return false;
        }
    }

    private void attributes(final Headers headers, final Event event, final Instant time) {
        headers.add("ce_specversion", utf8("1.0"));
        headers.add("ce_id", utf8(EventIdentity.of(event, time)));
        headers.add("ce_source", utf8(source));
        headers.add("ce_type", utf8(EventType.of(event).typeName()));
        headers.add("ce_time", utf8(time.toString()));
        headers.add("ce_subject", utf8(event.key()));
        headers.add("content-type", utf8("application/json"));
    }

    private static void requireSize(final OutgoingEvent outgoing, final ProducerRecord<byte[], byte[]> record) {
        long bytes = record.key().length;
        bytes += record.value() == null ? 0 : record.value().length;
        for (final Header header : record.headers()) {
            bytes += header.key().length() + header.value().length;
        }
        if (bytes > MAX_RECORD_BYTES) {
            throw new UnwritableEventException("'" + outgoing.key() + "' for " + record.topic() + " has " + bytes
                    + " bytes, the limit is " + MAX_RECORD_BYTES + "; keep large texts in files and refer to them");
        }
    }

    /**
     * Reads a record; a command strictly ({@link #readStrict}), anything else ignoring fields that a newer release added.
     *
     * @return empty for an event type of a newer release, which is to be skipped and counted
     * @throws UnreadableMessageException if it cannot be understood
     */
    public static Optional<LogRecord> read(final ConsumerRecord<byte[], byte[]> record) {
        return read(record, LENIENT);
    }

    /** As {@link #read}, but a field that is not known here is refused; the error names it. */
    public static Optional<LogRecord> readStrict(final ConsumerRecord<byte[], byte[]> record) {
        return read(record, STRICT);
    }

    /** Whatever a record contains, a reader gets its event or an exception that it expects. */
    private static Optional<LogRecord> read(final ConsumerRecord<byte[], byte[]> record, final ObjectMapper mapper) {
        try {
            return understood(record, mapper);
        } catch (final UnreadableMessageException e) {
            throw e;
        } catch (final RuntimeException | StackOverflowError e) {
            throw new UnreadableMessageException("cannot be read: " + e, e);
        }
    }

    private static Optional<LogRecord> understood(
            final ConsumerRecord<byte[], byte[]> record, final ObjectMapper mapper) {
        final String key = key(record);
        final Origin origin = requireOrigin(record.topic(), key);
        final Topic topic = origin.topic();
        if (record.value() == null) {
            if (!topic.isCompacted()) {
                throw new UnreadableMessageException("no value: only compacted topics carry tombstones");
            }
            return Optional.of(read(record, topic, key, null));
        }
        final String typeName = header(record.headers(), "ce_type")
                .orElseThrow(
                        () -> new UnreadableMessageException("header 'ce_type' is missing (CloudEvents binary mode)"));
        final Optional<EventType> type = EventType.named(typeName);
        if (type.isEmpty()) {
            return Optional.empty();
        }
        if (type.get().topic() != topic) {
            throw new UnreadableMessageException(
                    typeName + " belongs on " + type.get().topic().topicName());
        }
        final Event event = parse(record.value(), type.get(), type.get() == EventType.COMMAND ? STRICT : mapper);
        if (!event.key().equals(key)) {
            throw new UnreadableMessageException(
                    "the record key is '" + key + "', the event's is '" + event.key() + "'");
        }
        if (origin.cluster() != null && !origin.cluster().equals(event.cluster())) {
            throw new UnreadableMessageException("the event is about cluster '" + event.cluster()
                    + "', but only events about '" + origin.cluster() + "' belong on this topic");
        }
        return Optional.of(read(record, topic, key, event));
    }

    /** The broker proves who writes to the topic of a cluster, so a record there says nothing about other clusters. */
    static Origin requireOrigin(final String topicName, final String key) {
        final Origin origin = ORIGINS.computeIfAbsent(topicName, Origin::of);
        if (origin.cluster() != null) {
            requireKey(key, origin.cluster());
        }
        return origin;
    }

    private static void requireKey(final String key, final ClusterId cluster) {
        if (!key.equals(cluster.value()) && !key.startsWith(cluster.value() + "/")) {
            throw new UnreadableMessageException(
                    "the record key is '" + key + "', but only keys of cluster '" + cluster + "' belong on this topic");
        }
    }

    private static LogRecord read(
            final ConsumerRecord<byte[], byte[]> record,
            final Topic topic,
            final String key,
            final @Nullable Event event) {
        return new LogRecord(
                topic, record.partition(), record.offset(), Instant.ofEpochMilli(record.timestamp()), key, event);
    }

    /** Reads the JSON of an event, ignoring unknown fields. */
    public static Event parse(final byte[] json, final EventType type) {
        return parse(json, type, LENIENT);
    }

    private static Event parse(final byte[] json, final EventType type, final ObjectMapper mapper) {
        final ObjectReader reader = mapper.readerFor(type.record());
        try {
            final Event event = reader.readValue(json);
            if (event == null) {
                throw new UnreadableMessageException(type.typeName() + ": the value is null");
            }
            return event;
        } catch (final JsonMappingException e) {
            throw new UnreadableMessageException(type.typeName() + ": " + where(e) + plain(e.getOriginalMessage()), e);
        } catch (final JsonProcessingException e) {
            throw new UnreadableMessageException(type.typeName() + ": not JSON: " + plain(e.getOriginalMessage()), e);
        } catch (final IOException e) {
            throw new UnreadableMessageException(type.typeName() + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Jackson's message without Jackson's own terms. */
    private static String plain(final String message) {
        return message.replaceAll("\\[Source: [^;]*; ", "[")
                .replaceAll("Missing required creator property '.*' \\(index \\d+\\)", "is required and missing")
                .replaceAll("Invalid `null` value encountered for property .*", "is required and null")
                .replaceAll("Cannot map `null` into type .*", "is required and null");
    }

    private static String where(final JsonMappingException e) {
        final StringBuilder path = new StringBuilder();
        for (final JsonMappingException.Reference step : e.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return path.isEmpty() ? "" : "field '" + path + "': ";
    }

    /** The identity of a command that {@link #read} refused; empty if it cannot be determined. */
    public static Optional<CommandHead> headOf(final ConsumerRecord<byte[], byte[]> record) {
        try {
            final JsonNode command = LENIENT.readTree(record.value());
            final String id = command.path("id").asText();
            final String[] parts = id.split(":", 3);
            final int tries = id.lastIndexOf(':');
            return Optional.of(new CommandHead(
                    CommandId.of(id),
                    ClusterId.of(command.path("cluster").asText()),
                    Issuer.valueOf(command.path("issuer").asText()),
                    parts[1],
                    id.substring(parts[0].length() + parts[1].length() + 2, tries)));
        } catch (final IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static String key(final ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            throw new UnreadableMessageException("the record has no key");
        }
        return new String(record.key(), StandardCharsets.UTF_8);
    }

    public static Optional<String> header(final Headers headers, final String name) {
        return Optional.ofNullable(headers.lastHeader(name))
                .map(Header::value)
                .map(value -> new String(value, StandardCharsets.UTF_8));
    }

    public static byte[] utf8(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
