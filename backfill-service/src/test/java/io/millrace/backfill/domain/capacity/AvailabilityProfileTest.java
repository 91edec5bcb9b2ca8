package io.millrace.backfill.domain.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.ShadowTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the tree with an array of one entry per second. */
class AvailabilityProfileTest {

    private static final int HORIZON = 300;
    private static final int CORES = 20;

    private record Taken(int from, int until, int cores) {}

    private static final class Seconds {
        private final int[] free = new int[HORIZON];

        private Seconds() {
            java.util.Arrays.fill(free, CORES);
        }

        private void take(final Taken taken, final int sign) {
            for (int i = taken.from; i < taken.until; i++) {
                free[i] -= sign * taken.cores;
            }
        }

        private boolean fits(final int from, final int length, final int cores) {
            for (int i = from; i < Math.min(HORIZON, from + length); i++) {
                if (free[i] < cores) {
                    return false;
                }
            }
            return true;
        }

        private int earliest(final int from, final int length, final int cores) {
            int at = from;
            while (!fits(at, length, cores)) {
                at++;
            }
            return at;
        }
    }

    @Test
    void the_tree_agrees_with_an_array_of_seconds() {
        for (long seed = 1; seed <= 60; seed++) {
            final Random random = new Random(seed);
            final AvailabilityProfile profile = new AvailabilityProfile(CORES);
            final Seconds seconds = new Seconds();
            final List<Taken> taken = new ArrayList<>();
            int now = 0;
            for (int i = 0; i < 300; i++) {
                if (taken.isEmpty() || random.nextInt(3) > 0) {
                    final int length = 1 + random.nextInt(40);
                    final int cores = 1 + random.nextInt(CORES);
                    final int at = seconds.earliest(now, length, cores);
                    assertThat(profile.earliest(now, length, cores))
                            .as("seed %d, step %d", seed, i)
                            .isEqualTo(at);
                    if (at + length < HORIZON) {
                        taken.add(new Taken(at, at + length, cores));
                        profile.take(at, at + length, cores);
                        seconds.take(taken.getLast(), 1);
                    }
                } else {
                    final Taken gone = taken.remove(random.nextInt(taken.size()));
                    profile.take(Math.max(now, gone.from), gone.until, -gone.cores);
                    seconds.take(new Taken(Math.max(now, gone.from), Math.max(now, gone.until), gone.cores), -1);
                }
                if (random.nextInt(10) == 0 && now < HORIZON - 1) {
                    now += random.nextInt(4);
                    profile.forgetUntil(now);
                }
                final int second = Math.min(HORIZON - 1, now + random.nextInt(HORIZON - now));
                assertThat(profile.freeAt(second)).isEqualTo(seconds.free[second]);
                assertThat(profile.fits(second, 10, 7)).isEqualTo(seconds.fits(second, 10, 7));
            }
        }
    }

    @Test
    void a_profile_is_empty_again_after_all_is_released() {
        for (long seed = 1; seed <= 20; seed++) {
            final Random random = new Random(seed);
            final AvailabilityProfile profile = new AvailabilityProfile(CORES);
            final List<Taken> taken = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                final int from = random.nextInt(10_000);
                taken.add(new Taken(from, from + 1 + random.nextInt(500), 1 + random.nextInt(5)));
                profile.take(taken.getLast().from, taken.getLast().until, taken.getLast().cores);
            }
            java.util.Collections.shuffle(taken, random);
            taken.forEach(back -> profile.take(back.from, back.until, -back.cores));

            assertThat(profile.steps()).as("seed %d", seed).isZero();
            assertThat(profile.earliest(0, ShadowTime.NEVER, CORES)).isZero();
        }
    }
}
