package io.millrace.simulator.workload;

/** A range of numbers, both ends included. */
public record Range(double least, double most) {

    public Range {
        if (!(least > 0) || most < least) {
            throw new IllegalArgumentException(
                    "a range must begin above 0 and not end below its beginning, got " + least + ".." + most);
        }
    }

    /** @param text {@code A..B}, or {@code A} for a single number */
    public static Range parse(final String text) {
        final String number = "\\d+(\\.\\d+)?";
        if (!text.matches(number + "(\\.\\." + number + ")?")) {
            throw new IllegalArgumentException("must be a range such as 1..64, got '" + text + "'");
        }
        final String[] ends = text.split("\\.\\.", -1);
        return new Range(Double.parseDouble(ends[0]), Double.parseDouble(ends[ends.length - 1]));
    }

    double draw(final RandomDistributions random) {
        return least + (most - least) * random.uniform();
    }

    long drawWhole(final RandomDistributions random) {
        final long low = (long) Math.ceil(least);
        final long high = Math.max(low, (long) Math.floor(most));
        return low + (long) (random.uniform() * (high - low + 1));
    }
}
