package io.millrace.agent.slurm.format;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads CPU times of {@code sacct}: {@code 00:08.378}, {@code 01:02:03}, {@code 2-01:02:03}. */
public final class CpuTimes {

    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,9})-)?(?:(\\d{1,9}):)?(\\d{1,9}):(\\d{1,2})(?:\\.(\\d{3}))?");

    private CpuTimes() {}

    /** Null if it is zero: Slurm prints this where it does not measure ({@code JobAcctGatherType=jobacct_gather/none}). */
    static @Nullable public Duration read(final String text) {
        final Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return null;
        }
        final Duration time = Duration.ofDays(number(form.group(1)))
                .plusHours(number(form.group(2)))
                .plusMinutes(number(form.group(3)))
                .plusSeconds(number(form.group(4)))
                .plusMillis(number(form.group(5)));
        return time.isZero() ? null : time;
    }

    private static long number(final @Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
