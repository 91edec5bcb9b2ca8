package io.millrace.agent.slurm.format;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads Slurm's numbers, including those with a unit, such as {@code 2K} for 2048, which some versions and sites print. */
public final class Quantities {

    private static final Pattern FORM = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,6})?)([KMGTP]?)[A-Za-z]?");
    private static final String UNITS = "KMGTP";

    private Quantities() {}

    /** @throws IllegalArgumentException if the text is not a number */
    public static long count(final String text) {
        final Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a number");
        }
        if (form.group(2).isEmpty() && form.group(1).indexOf('.') < 0) {
            return Long.parseLong(form.group(1));
        }
        return Math.round(Double.parseDouble(form.group(1)) * Math.pow(1024, UNITS.indexOf(form.group(2)) + 1));
    }

    /** The count as an int; larger values become {@code Integer.MAX_VALUE}. */
    public static int intCount(final String text) {
        return (int) Math.min(Integer.MAX_VALUE, count(text));
    }

    /**
     * Memory in MiB: {@code 2G}, {@code 100M}, {@code 4000}; a number without a unit is in MiB.
     *
     * @throws IllegalArgumentException if the text is not a memory size
     */
    public static long mebibytes(final String text) {
        final Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a valid memory size");
        }
        final int power = form.group(2).isEmpty() ? 0 : UNITS.indexOf(form.group(2)) - 1; // M is 0
        return Math.round(Double.parseDouble(form.group(1)) * Math.pow(1024, power));
    }
}
