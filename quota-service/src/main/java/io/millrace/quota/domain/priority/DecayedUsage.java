package io.millrace.quota.domain.priority;

import io.millrace.model.quota.Usage;
import io.millrace.model.quota.Usage.Decayed;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Use with exponential decay. Between two published values a user's cores do not change, so the use at any instant follows from the
 * last value alone, without a timer and after any restart.
 */
public final class DecayedUsage {

    /** Less than one core-hour is ignored. */
    private static final long FORGOTTEN_core_s = 3600;

    private static final double LN_2 = Math.log(2);

    private final double halfLife_s;
    private final Instant now;

    public DecayedUsage(final Duration halfLife, final Instant now) {
        this.halfLife_s = halfLife.toMillis() / 1000.0;
        this.now = now;
    }

    /** Decayed core-seconds up to now. */
    double core_s(final @Nullable Usage before) {
        if (before == null || before.decayed() == null) {
            return 0;
        }
        final double passed_s =
                Math.max(0, Duration.between(before.decayed().asOf(), now).toMillis() / 1000.0);
        final double left = Math.exp(-LN_2 * passed_s / halfLife_s);
        return before.decayed().coreSeconds() * left + before.cores() * halfLife_s / LN_2 * (1 - left);
    }

    /** The same as cores: the value for a user who always uses this many. */
    double cores(final @Nullable Usage before) {
        return core_s(before) * LN_2 / halfLife_s;
    }

    /** The value to publish with this many cores in use; the old value if the cores have not changed. */
    public Decayed published(final int cores, final @Nullable Usage before) {
        return before != null && before.decayed() != null && before.cores() == cores
                ? before.decayed()
                : new Decayed(Math.round(core_s(before)), now);
    }

    /** Whether the use of a user without jobs can be dropped. */
    public boolean isNegligible(final Usage before) {
        return core_s(before) < FORGOTTEN_core_s;
    }
}
