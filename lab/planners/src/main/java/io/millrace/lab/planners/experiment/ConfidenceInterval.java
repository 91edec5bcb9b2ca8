package io.millrace.lab.planners.experiment;

import java.util.Locale;

/**
 * The mean of independent runs with its 95 % confidence interval.
 *
 * @param half half the width of the interval, by Student's t; 0 for a single run
 */
public record ConfidenceInterval(double mean, double half) {

    private static final double NORMAL = 1.959963984540054;

    public static ConfidenceInterval of(final double... runs) {
        double sum = 0;
        for (final double run : runs) {
            sum += run;
        }
        final double mean = sum / runs.length;
        if (runs.length < 2) {
            return new ConfidenceInterval(mean, 0);
        }
        double squares = 0;
        for (final double run : runs) {
            squares += (run - mean) * (run - mean);
        }
        final double deviation = Math.sqrt(squares / (runs.length - 1));
        return new ConfidenceInterval(mean, student(runs.length - 1) * deviation / Math.sqrt(runs.length));
    }

    /** The 97.5 % quantile of Student's t by its expansion in the normal one (Abramowitz and Stegun 26.7.5); 2.262 for 9. */
    public static double student(final int freedom) {
        final double z = NORMAL;
        final double z2 = z * z;
        final double n = freedom;
        return z
                + z * (z2 + 1) / (4 * n)
                + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * n * n)
                + z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * n * n * n);
    }

    /** As text with this many digits: {@code 12.3 ± 0.4}. */
    public String text(final int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f ± %." + digits + "f", mean, half);
    }
}
