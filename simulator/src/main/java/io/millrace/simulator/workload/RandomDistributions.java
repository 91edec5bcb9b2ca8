package io.millrace.simulator.workload;

import java.util.SplittableRandom;

/** Random numbers with the distributions of workload models, the same on every machine. */
final class RandomDistributions {

    private final SplittableRandom random;

    RandomDistributions(final long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** From 0, less than 1. */
    double uniform() {
        return (random.nextLong() >>> 11) * 0x1.0p-53;
    }

    int below(final int bound) {
        return (int) (uniform() * bound);
    }

    double exponential(final double mean) {
        return -mean * StrictMath.log(1 - uniform());
    }

    private double normal() {
        return StrictMath.sqrt(-2 * StrictMath.log(1 - uniform())) * StrictMath.cos(2 * Math.PI * uniform());
    }

    /** By Marsaglia and Tsang 2000. @param shape above 0 */
    double gamma(final double shape, final double scale) {
        if (shape < 1) {
            return gamma(shape + 1, scale) * StrictMath.pow(1 - uniform(), 1 / shape);
        }
        final double d = shape - 1.0 / 3;
        final double c = 1 / StrictMath.sqrt(9 * d);
        while (true) {
            final double x = normal();
            final double root = 1 + c * x;
            if (root > 0) {
                final double v = root * root * root;
                if (StrictMath.log(1 - uniform()) < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
                    return d * v * scale;
                }
            }
        }
    }

    double hyperGamma(
            final double shape1, final double scale1, final double shape2, final double scale2, final double first) {
        return uniform() <= first ? gamma(shape1, scale1) : gamma(shape2, scale2);
    }
}
