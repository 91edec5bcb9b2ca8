package io.millrace.script.directive;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses numbers, sizes and times in the formats of the workload managers. */
final class Quantities {

    private static final Pattern SLURM_TIME =
            Pattern.compile("(?:(\\d{1,7})-)?(\\d{1,9})(?::(\\d{1,5}))?(?::(\\d{1,5}))?");
    private static final Pattern PBS_TIME =
            Pattern.compile("(?:(?:(?:(\\d{1,7}):)?(\\d{1,9}):)?(\\d{1,9}):)?(\\d{1,10})(?:\\.\\d*)?");
    private static final Pattern LSF_TIME = Pattern.compile("(?:(\\d{1,7}):)?(\\d{1,9})");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?)\\s*([a-zA-Z]{0,3})");

    private Quantities() {}

    static int positive(final String text, final String what) throws DirectiveSyntaxException {
        final int number = number(text, what);
        if (number < 1) {
            throw new DirectiveSyntaxException("number of " + what + " must be at least 1, got " + text);
        }
        return number;
    }

    static int number(final String text, final String what) throws DirectiveSyntaxException {
        if (!text.matches("\\+?\\d{1,9}")) {
            throw new DirectiveSyntaxException("'" + text + "' is not a valid number of " + what);
        }
        return Integer.parseInt(text.startsWith("+") ? text.substring(1) : text);
    }

    /** Slurm: minutes, minutes:seconds, hours:minutes:seconds, days-hours[:minutes[:seconds]]. @return null if unlimited */
    static @Nullable Duration slurmTime(final String text) throws DirectiveSyntaxException {
        if (text.matches("(?i)unlimited|infinite|-1|0")) {
            return null;
        }
        final Matcher m = SLURM_TIME.matcher(text);
        if (!m.matches()) {
            throw new DirectiveSyntaxException(
                    "'" + text + "' is not a valid Slurm time; use minutes, h:mm:ss or d-hh:mm:ss");
        }
        final long first = Long.parseLong(m.group(2));
        final long second = part(m.group(3));
        final long third = part(m.group(4));
        if (m.group(1) != null) {
            return positive(Duration.ofDays(Long.parseLong(m.group(1)))
                    .plusHours(first)
                    .plusMinutes(second)
                    .plusSeconds(third));
        }
        return positive(
                m.group(4) != null
                        ? Duration.ofHours(first).plusMinutes(second).plusSeconds(third)
                        : Duration.ofMinutes(first).plusSeconds(second));
    }

    /** PBS: seconds, minutes:seconds, hours:minutes:seconds, and days:hours:minutes:seconds of Torque; fractions are dropped. */
    static @Nullable Duration pbsTime(final String text) throws DirectiveSyntaxException {
        if (text.matches("(?i)unlimited|-1")) {
            return null;
        }
        final Matcher m = PBS_TIME.matcher(text);
        if (!m.matches()) {
            throw new DirectiveSyntaxException("'" + text + "' is not a valid PBS time; use seconds or hh:mm:ss");
        }
        return positive(Duration.ofDays(part(m.group(1)))
                .plusHours(part(m.group(2)))
                .plusMinutes(part(m.group(3)))
                .plusSeconds(Long.parseLong(m.group(4))));
    }

    /** LSF: minutes or hours:minutes, optionally followed by a slash and the reference host. */
    static Duration lsfTime(final String text) throws DirectiveSyntaxException {
        final Matcher m = LSF_TIME.matcher(text.contains("/") ? text.substring(0, text.indexOf('/')) : text);
        if (!m.matches()) {
            throw new DirectiveSyntaxException("'" + text + "' is not a valid LSF time; use minutes or hours:minutes");
        }
        return positive(Duration.ofHours(part(m.group(1))).plusMinutes(Long.parseLong(m.group(2))));
    }

    private static long part(final @Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static Duration positive(final Duration time) throws DirectiveSyntaxException {
        if (time.isZero()) {
            throw new DirectiveSyntaxException("walltime must be greater than zero");
        }
        return time;
    }

    /** A size in MiB, rounded up. */
    static long slurmSize(final String text) throws DirectiveSyntaxException {
        return mib(text, 'M', text.matches("(?i).*[kmgtp]i?b?|[\\d.]+"));
    }

    /** A size in MiB. PBS uses bytes if there is no unit, and supports words of eight bytes. */
    static long pbsSize(final String text) throws DirectiveSyntaxException {
        return mib(text, 'B', text.matches("(?i)[\\d.]+([kmgtp]?[bw])?|[\\d.]+[kmgtp]"));
    }

    /** @param unit the default unit of LSF: KiB for limits, MiB for reservations, unless the site changed it */
    static long lsfSize(final String text, final char unit) throws DirectiveSyntaxException {
        return mib(text, unit, text.matches("(?i)[\\d.]+([kmgtpez]b?)?"));
    }

    private static long mib(final String text, final char unit, final boolean form) throws DirectiveSyntaxException {
        final Matcher m = SIZE.matcher(text);
        if (!form || !m.matches()) {
            throw new DirectiveSyntaxException(
                    "'" + text + "' is not a valid memory size; use a number and a unit, for example 4gb");
        }
        final String letters = m.group(2).toUpperCase(Locale.ROOT);
        final char scale = letters.isEmpty() ? unit : letters.charAt(0);
        final int power = switch (scale) {
            case 'K' -> 1;
            case 'M' -> 2;
            case 'G' -> 3;
            case 'T' -> 4;
            case 'P' -> 5;
            case 'E' -> 6;
            case 'Z' -> 7;
            default -> 0; // bytes, or words
        };
        final long width = letters.endsWith("W") ? 8 : 1;
        final BigDecimal bytes = new BigDecimal(m.group(1))
                .multiply(BigDecimal.valueOf(width))
                .multiply(BigDecimal.valueOf(1024).pow(power));
        final BigDecimal mib = bytes.divide(BigDecimal.valueOf(1 << 20), 0, RoundingMode.CEILING);
        if (mib.compareTo(BigDecimal.valueOf(1L << 40)) > 0) {
            throw new DirectiveSyntaxException("memory size '" + text + "' is too large");
        }
        return mib.longValue();
    }
}
