package io.millrace.log;

import io.millrace.log.access.Part.LogReader;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/** A message that could not be understood, as it was, with the reason and where it stood. */
public final class DeadLetter {

    private static final int LONGEST_REASON = 2000;

    private DeadLetter() {}

    /**
     * The record for the dead letters of a part: key, headers and bytes of {@code record}, and additional headers with the reader that
     * failed, the reason, and the position.
     *
     * @param part that could not read it
     * @param reader what of the part could not read it, e.g. a loop or a handler
     */
    public static ProducerRecord<byte[], byte[]> of(
            final ConsumerRecord<byte[], byte[]> record,
            final LogReader part,
            final String reader,
            final String reason) {
        final ProducerRecord<byte[], byte[]> dead =
                new ProducerRecord<>(part.deadLetters(), 0, record.key(), record.value(), record.headers());
        final Headers headers = dead.headers();
        headers.add("millrace_reason", EventCodec.utf8(shorten(reason)));
        headers.add("millrace_reader", EventCodec.utf8(reader));
        headers.add("millrace_topic", EventCodec.utf8(record.topic()));
        headers.add("millrace_partition", EventCodec.utf8(Integer.toString(record.partition())));
        headers.add("millrace_offset", EventCodec.utf8(Long.toString(record.offset())));
        return dead;
    }

    private static String shorten(final String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + "…";
    }
}
