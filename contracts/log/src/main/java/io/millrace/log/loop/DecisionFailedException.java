package io.millrace.log.loop;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** A decider threw while deciding, or decided something that cannot be written: our own mistake, which a record has shown. */
final class DecisionFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String reason;
    private final transient FailureKind kind;
    private final transient Map<TopicPartition, Long> read;

    /** @param read the offsets up to which the session had read */
    DecisionFailedException(final String reason, final Throwable cause, final Map<TopicPartition, Long> read) {
        super(reason, cause);
        this.reason = reason;
        this.kind = FailureKind.of(cause);
        this.read = Map.copyOf(read);
    }

    FailureKind kind() {
        return kind;
    }

    Map<TopicPartition, Long> read() {
        return read;
    }

    String reason() {
        return reason;
    }
}
