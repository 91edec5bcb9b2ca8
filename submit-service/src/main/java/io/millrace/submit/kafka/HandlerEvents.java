package io.millrace.submit.kafka;

import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.Event;
import io.millrace.model.protocol.EventType;
import io.millrace.submit.domain.handler.EventFilter;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.handlers.EventEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Converts records of the log to events. */
final class HandlerEvents {

    private static final String ATTRIBUTE = "ce_";
    /** Attribute names as in CloudEvents 1.0.2, 3.1; other headers are ignored. */
    private static final Pattern NAMED = Pattern.compile(ATTRIBUTE + "[a-z0-9]+");

    private HandlerEvents() {}

    /** The event of a record that matches the filter. Tombstones and unreadable records match nothing; the projection dead-letters the latter. */
    static Optional<HandlerEvent> of(final ConsumerRecord<byte[], byte[]> record, final EventFilter filter) {
        if (record.value() == null || type(record).filter(filter::mayWant).isEmpty()) {
            return Optional.empty();
        }
        return event(record).filter(filter::wants).map(wanted -> convert(record).with(wanted));
    }

    /** The event of a dead letter. */
    static HandlerEvent ofDeadLetter(final ConsumerRecord<byte[], byte[]> original) {
        final HandlerEvent converted = convert(original);
        return event(original).map(converted::with).orElse(converted);
    }

    private static Optional<Event> event(final ConsumerRecord<byte[], byte[]> record) {
        try {
            return EventCodec.read(record).map(LogRecord::event);
        } catch (UnreadableMessageException e) {
            return Optional.empty();
        }
    }

    private static Optional<EventType> type(final ConsumerRecord<byte[], byte[]> record) {
        return text(record.headers(), ATTRIBUTE + "type").flatMap(EventType::named);
    }

    /** If another writer omitted attributes, the log position identifies the event. */
    private static HandlerEvent convert(final ConsumerRecord<byte[], byte[]> record) {
        final Map<String, String> attributes = new HashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("source", "/millrace/" + record.topic());
        attributes.put("id", record.topic() + "/" + record.partition() + "/" + record.offset());
        for (final Header header : record.headers()) {
            if (NAMED.matcher(header.key()).matches() && header.value() != null) {
                attributes.put(
                        header.key().substring(ATTRIBUTE.length()), new String(header.value(), StandardCharsets.UTF_8));
            }
        }
        return new HandlerEvent(
                attributes, EventEnvelope.withoutCredentials(new String(record.value(), StandardCharsets.UTF_8)));
    }

    static Optional<String> text(final Headers headers, final String name) {
        return Optional.ofNullable(headers.lastHeader(name))
                .map(Header::value)
                .map(value -> new String(value, StandardCharsets.UTF_8));
    }
}
