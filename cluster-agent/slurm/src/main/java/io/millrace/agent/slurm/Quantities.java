package io.millrace.agent.slurm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's numbers, also where a version or a site's settings make it write {@code 2K} for 2048. */
final class Quantities {

    private static final Pattern FORM = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,6})?)([KMGTP]?)[A-Za-z]?");
    private static final String UNITS = "KMGTP";

    private Quantities() {}

    /** @throws IllegalArgumentException if it is no number */
    static long count(final String text) {
        final Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no number");
        }
        if (form.group(2).isEmpty() && form.group(1).indexOf('.') < 0) {
            return Long.parseLong(form.group(1));
        }
        return Math.round(Double.parseDouble(form.group(1)) * Math.pow(1024, UNITS.indexOf(form.group(2)) + 1));
    }

    /** The same as an int; what is larger than any cluster is cut off there. */
    static int intCount(final String text) {
        return (int) Math.min(Integer.MAX_VALUE, count(text));
    }

    /**
     * Memory in MiB: {@code 2G}, {@code 100M}, {@code 4000}; a figure without unit counts MiB.
     *
     * @throws IllegalArgumentException if it is no amount of memory
     */
    static long mebibytes(final String text) {
        final Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no amount of memory");
        }
        final int power = form.group(2).isEmpty() ? 0 : UNITS.indexOf(form.group(2)) - 1; // M is 0
        return Math.round(Double.parseDouble(form.group(1)) * Math.pow(1024, power));
    }
}
