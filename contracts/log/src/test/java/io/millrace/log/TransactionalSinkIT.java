package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Stack;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionalSinkIT {

    private static final Map<String, Object> PATIENT = Map.of("max.block.ms", 300_000, "delivery.timeout.ms", 300_000);
    private static final List<OutgoingEvent> SOME =
            List.of(OutgoingEvent.remove(Topic.CLUSTER_STATE, "sink/node/n1", ClusterId.of("sink")));

    private final String bootstrap = Stack.kafka().bootstrapServers();

    @BeforeEach
    void topics() {
        Topics.create(bootstrap, ClusterId.of("sink"), 1);
    }

    @Test
    void a_writer_whose_id_was_taken_over_is_fenced() {
        try (TransactionalSink first = sink("taken-over", Clock.systemUTC());
                TransactionalSink second = sink("taken-over", Clock.systemUTC())) {
            first.open();
            first.commit(SOME);
            second.open();
            assertThatThrownBy(() -> first.commit(SOME)).isInstanceOf(WriterFencedException.class);
            second.commit(SOME);
        }
    }

    @Test
    void a_writer_whose_transaction_may_have_timed_out_is_not_taken_for_fenced_and_can_be_opened_again() {
        final SlowClock slow = new SlowClock(Duration.ofSeconds(11));
        try (TransactionalSink first = sink("timed-out", slow);
                TransactionalSink second = sink("timed-out", slow)) {
            first.open();
            first.commit(SOME);
            second.open();
            assertThatThrownBy(() -> first.commit(SOME))
                    .isInstanceOf(KafkaException.class)
                    .isNotInstanceOf(WriterFencedException.class);
            try (TransactionalSink again = sink("timed-out", slow)) {
                again.open();
                again.commit(SOME);
            }
        }
    }

    private TransactionalSink sink(final String id, final Clock clock) {
        return new TransactionalSink(bootstrap, "sink", id, clock, PATIENT);
    }

    /** Advances at each reading. */
    private static final class SlowClock extends Clock {

        private final Duration step;
        private Instant now = Instant.now();

        SlowClock(final Duration step) {
            this.step = step;
        }

        @Override
        public Instant instant() {
            now = now.plus(step);
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(final ZoneId zone) {
            return this;
        }
    }
}
