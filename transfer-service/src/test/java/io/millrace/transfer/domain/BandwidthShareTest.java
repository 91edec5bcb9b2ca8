package io.millrace.transfer.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BandwidthShareTest {

    @ParameterizedTest(name = "{5} of {0}, when {2} of {1} copies use {3} and {4} start")
    @CsvSource({
        "1600, 8, 0, 0, 1, 900",
        "1600, 8, 1, 900, 1, 100",
        "1600, 8, 0, 0, 2, 500",
        "1600, 8, 0, 0, 8, 200",
        "1600, 8, 0, 0, 999, 200",
        "1600, 8, 7, 900, 1, 700",
        "1600, 8, 7, 1500, 1, 100",
        "1600, 1, 0, 0, 5, 1600",
        "1600, 8, 7, 1600, 1, 0",
        "1600, 8, 2, 2000, 3, -900",
    })
    void part_of_a_copy_that_starts(
            final long limit,
            final int slots,
            final int taken,
            final long taken_kib_s,
            final int starting,
            final long part) {
        assertThat(BandwidthShare.of(limit, slots, taken, taken_kib_s, starting))
                .isEqualTo(part);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void all_parts_together_never_exceed_the_limit_and_every_copy_gets_half_an_equal_part(final long seed) {
        final RandomGenerator random = new Random(seed);
        final long limit = 1024L * random.nextInt(1, 1000);
        final int slots = random.nextInt(1, 20);
        final List<Long> running = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            final long taken = running.stream().mapToLong(Long::longValue).sum();
            assertThat(taken).isLessThanOrEqualTo(limit);
            if (running.size() < slots && random.nextBoolean()) {
                final long part = BandwidthShare.of(limit, slots, running.size(), taken, random.nextInt(1, 30));
                assertThat(part).isGreaterThanOrEqualTo(limit / (2L * slots));
                running.add(part);
            } else if (!running.isEmpty()) {
                running.remove(random.nextInt(running.size()));
            }
        }
    }

    @Test
    void copies_that_start_together_get_equal_parts() {
        final long first = BandwidthShare.of(1600, 8, 0, 0, 3);
        final long second = BandwidthShare.of(1600, 8, 1, first, 2);
        final long third = BandwidthShare.of(1600, 8, 2, first + second, 1);
        assertThat(first).isBetween(second - 1, second + 1).isBetween(third - 1, third + 1);
    }
}
