package io.millrace.backfill.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.ShadowTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EarliestStartBoundsTest {

    private record Known(int cores, long length_s, long at_s) {}

    @Test
    void bounds_are_exact_for_the_same_size_and_unknown_for_smaller_sizes() {
        final EarliestStartBounds tried = new EarliestStartBounds();
        tried.record(1000, 3601, 77);
        assertThat(tried.notBefore_s(1000, 3601)).isEqualTo(77);
        assertThat(tried.notBefore_s(1000, 3600)).isEqualTo(Long.MIN_VALUE);
        assertThat(tried.notBefore_s(999, 3601)).isEqualTo(Long.MIN_VALUE);
        assertThat(tried.notBefore_s(1200, 4600)).as("an eighth more").isEqualTo(77);
    }

    @Test
    void a_bound_never_exceeds_that_of_a_smaller_job() {
        final Random random = new Random(4);
        for (int world = 0; world < 30; world++) {
            final EarliestStartBounds tried = new EarliestStartBounds();
            final List<Known> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                final int cores = 1 + random.nextInt(1 << random.nextInt(20));
                final long length_s =
                        random.nextInt(50) == 0 ? ShadowTime.NEVER : 1 + random.nextInt(1 << random.nextInt(20));
                assertThat(tried.notBefore_s(cores, length_s))
                        .as("%d cores for %d s", cores, length_s)
                        .isLessThanOrEqualTo(all.stream()
                                .filter(k -> k.cores <= cores && k.length_s <= length_s)
                                .mapToLong(Known::at_s)
                                .max()
                                .orElse(Long.MIN_VALUE));
                all.add(new Known(cores, length_s, random.nextInt(1000)));
                tried.record(cores, length_s, all.getLast().at_s);
            }
        }
    }
}
