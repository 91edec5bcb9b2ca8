package io.millrace.agent.pbs;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes sizes of PBS: {@code 500mb}, {@code 2gb}, {@code 4632kb}, {@code 1024} (bytes), {@code 10kw} (words of 8 bytes).
 */
public final class PbsSize {

    private static final Pattern FORM = Pattern.compile("(\\d{1,18})([kmgtp]?)([bw]?)");
    private static final long BYTES_OF_A_WORD = 8;

    private PbsSize() {}

    /** The size in MiB, rounded up; 0 if it is missing or unreadable. */
    public static long mib(final @Nullable String text) {
        return (long) Math.ceil(size(text) / (1024 * 1024));
    }

    /** The size in bytes; 0 if it is missing or unreadable. */
    public static long bytes(final @Nullable String text) {
        return (long) size(text);
    }

    private static double size(final @Nullable String text) {
        if (text == null) {
            return 0;
        }
        final Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            return 0;
        }
        final int steps = form.group(2).isEmpty() ? 0 : "kmgtp".indexOf(form.group(2)) + 1;
        return Double.parseDouble(form.group(1))
                * (form.group(3).equals("w") ? BYTES_OF_A_WORD : 1)
                * Math.pow(1024, steps);
    }

    public static String ofMib(final long mib) {
        return mib + "mb";
    }
}
