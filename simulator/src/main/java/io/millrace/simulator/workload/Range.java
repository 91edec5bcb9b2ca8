package io.millrace.simulator.workload;

/** From one number to another, both included. */
public record Range(double least, double most) {

    public Range {
        if (!(least > 0) || most < least) {
            throw new IllegalArgumentException(
                    "a range goes from a number above 0 to one that is not less, got " + least + ".." + most);
        }
    }

    /** @param option in whose name to complain */
    public static Range parse(final String option, final String text) {
        final String number = "\\d+(\\.\\d+)?";
        if (!text.matches(number + "(\\.\\." + number + ")?")) {
            throw new IllegalArgumentException(option + " must be a range like 1..64, got '" + text + "'");
        }
        final String[] ends = text.split("\\.\\.", -1);
        return new Range(Double.parseDouble(ends[0]), Double.parseDouble(ends[ends.length - 1]));
    }

    double draw(final RandomDistributions chance) {
        return least + (most - least) * chance.uniform();
    }

    long drawWhole(final RandomDistributions chance) {
        final long low = (long) Math.ceil(least);
        final long high = Math.max(low, (long) Math.floor(most));
        return low + (long) (chance.uniform() * (high - low + 1));
    }
}
