package io.millrace.classifier.domain.model;

/**
 * The numbers between two bounds. A range whose lower bound exceeds the upper one is empty.
 *
 * @param min negative infinity: no lower bound
 * @param max positive infinity: no upper bound; infinity itself belongs to the range, as the walltime of a job without a limit
 */
public record NumberRange(double min, boolean minExclusive, double max, boolean maxExclusive) implements Domain {

    public static final NumberRange ANY = between(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    public NumberRange {
        if (Double.isNaN(min) || Double.isNaN(max)) {
            throw new IllegalArgumentException("a bound is not a number");
        }
        min += 0.0; // -0.0 becomes 0.0, which equals() distinguishes
        max += 0.0;
    }

    public static NumberRange exactly(final double value) {
        return between(value, value);
    }

    /** Both bounds included. */
    public static NumberRange between(final double min, final double max) {
        return new NumberRange(min, false, max, false);
    }

    public static NumberRange atLeast(final double min) {
        return between(min, Double.POSITIVE_INFINITY);
    }

    public static NumberRange moreThan(final double min) {
        return new NumberRange(min, true, Double.POSITIVE_INFINITY, false);
    }

    /** The least number of the range: an exclusive bound is the inclusive bound at the next representable number. */
    public double low() {
        return minExclusive ? Math.nextUp(min) : min;
    }

    /** The greatest number of the range. */
    public double high() {
        return maxExclusive ? Math.nextDown(max) : max;
    }

    @Override
    public boolean isEmpty() {
        return low() > high();
    }

    @Override
    public boolean includes(final Domain other) {
        return other instanceof NumberRange range
                && (range.isEmpty() || low() <= range.low() && range.high() <= high());
    }

    @Override
    public boolean intersects(final Domain other) {
        return other instanceof NumberRange range && Math.max(low(), range.low()) <= Math.min(high(), range.high());
    }

    @Override
    public String toString() {
        return min == max && !isEmpty()
                ? text(min)
                : (minExclusive ? "(" : "[") + text(min) + "," + text(max) + (maxExclusive ? ")" : "]");
    }

    private static String text(final double bound) {
        if (Double.isInfinite(bound)) {
            return bound > 0 ? "unlimited" : "";
        }
        return bound == Math.rint(bound) && Math.abs(bound) < 1e15
                ? Long.toString((long) bound)
                : Double.toString(bound);
    }
}
