package io.millrace.quota.domain.priority;

import io.millrace.model.policy.Usage;
import io.millrace.model.policy.Usage.Decayed;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Use that fades: half of it is gone after each half-life. Between two published figures a user's cores do not change, so what was
 * used up to any instant follows from the last one alone, without a timer and after any restart.
 */
public final class DecayedUsage {

    /** Less than a core-hour is forgotten. */
    private static final long FORGOTTEN_core_s = 3600;

    private static final double LN_2 = Math.log(2);

    private final double halfLife_s;
    private final Instant now;

    public DecayedUsage(final Duration halfLife, final Instant now) {
        this.halfLife_s = halfLife.toMillis() / 1000.0;
        this.now = now;
    }

    /** Core-seconds used up to now, faded. */
    double core_s(final @Nullable Usage before) {
        if (before == null || before.decayed() == null) {
            return 0;
        }
        final double passed_s =
                Math.max(0, Duration.between(before.decayed().asOf(), now).toMillis() / 1000.0);
        final double left = Math.exp(-LN_2 * passed_s / halfLife_s);
        return before.decayed().coreSeconds() * left + before.cores() * halfLife_s / LN_2 * (1 - left);
    }

    /** The same as cores: who always uses so many comes to this figure. */
    double cores(final @Nullable Usage before) {
        return core_s(before) * LN_2 / halfLife_s;
    }

    /** What to publish beside this many cores in use: the old figure while they are the same, for it says all. */
    public Decayed published(final int cores, final @Nullable Usage before) {
        return before != null && before.decayed() != null && before.cores() == cores
                ? before.decayed()
                : new Decayed(Math.round(core_s(before)), now);
    }

    /** Whether so little is left that a user without jobs need not be remembered. */
    public boolean isNegligible(final Usage before) {
        return core_s(before) < FORGOTTEN_core_s;
    }
}
