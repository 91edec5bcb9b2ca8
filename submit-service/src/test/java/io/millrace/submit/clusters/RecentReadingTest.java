package io.millrace.submit.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecentReadingTest {

    private final AtomicInteger queries = new AtomicInteger();

    @Test
    void a_recent_result_is_not_queried_again() {
        final RecentReading<Integer> reading = new RecentReading<>(Duration.ofDays(1), queries::incrementAndGet);

        assertThat(reading.value()).isEqualTo(1);
        assertThat(reading.value()).isEqualTo(1);
    }

    @Test
    void a_caller_that_accepts_an_older_result_gets_it_without_a_query() {
        final RecentReading<Integer> reading = new RecentReading<>(Duration.ZERO, queries::incrementAndGet);

        assertThat(reading.value(Duration.ofDays(1))).isEqualTo(1);
        assertThat(reading.value(Duration.ofDays(1))).isEqualTo(1);
        assertThat(reading.value()).as("of now").isEqualTo(2);
        assertThat(reading.value(Duration.ofDays(1))).isEqualTo(2);
    }
}
