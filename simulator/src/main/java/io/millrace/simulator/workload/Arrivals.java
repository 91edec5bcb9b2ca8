package io.millrace.simulator.workload;

import java.util.Arrays;

/** A model of submission times, in seconds from 0, in order. */
public sealed interface Arrivals {

    long[] times_s(int count, RandomDistributions random);

    /** A Poisson process with this mean time between jobs. */
    record Poisson(double meanGap_s) implements Arrivals {
        @Override
        public long[] times_s(final int count, final RandomDistributions random) {
            final long[] times = new long[count];
            double at = 0;
            for (int i = 0; i < count; i++) {
                at += random.exponential(meanGap_s);
                times[i] = (long) at;
            }
            return times;
        }
    }

    /** One job at regular intervals. */
    record Every(long gap_s) implements Arrivals {
        @Override
        public long[] times_s(final int count, final RandomDistributions random) {
            final long[] times = new long[count];
            Arrays.setAll(times, i -> i * gap_s);
            return times;
        }
    }

    /** Each job at a random time within a period. */
    record Within(long span_s) implements Arrivals {
        @Override
        public long[] times_s(final int count, final RandomDistributions random) {
            final long[] times = new long[count];
            for (int i = 0; i < count; i++) {
                times[i] = (long) (random.uniform() * span_s);
            }
            Arrays.sort(times);
            return times;
        }
    }

    /** @param text as in {@code poisson:60}, {@code every:5}, {@code within:3600} or {@code together} */
    static Arrivals parse(final String text) {
        if (text.equals("together")) {
            return new Every(0);
        }
        if (!text.matches("(poisson|every|within):\\d{1,12}(\\.\\d+)?")) {
            throw new IllegalArgumentException(
                    "must be poisson:MEAN, every:SECONDS, within:SECONDS or together, got '" + text + "'");
        }
        final double value = Double.parseDouble(text.substring(text.indexOf(':') + 1));
        return switch (text.charAt(0)) {
            case 'p' -> new Poisson(value);
            case 'e' -> new Every((long) value);
            default -> new Within((long) value);
        };
    }
}
