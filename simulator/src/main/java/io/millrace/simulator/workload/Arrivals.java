package io.millrace.simulator.workload;

import java.util.Arrays;

/** When jobs come: submission times in seconds from 0, in order. */
public sealed interface Arrivals {

    long[] times_s(int count, RandomDistributions chance);

    /** Independent of each other, so many seconds apart on average. */
    record Poisson(double meanGap_s) implements Arrivals {
        @Override
        public long[] times_s(final int count, final RandomDistributions chance) {
            final long[] times = new long[count];
            double at = 0;
            for (int i = 0; i < count; i++) {
                at += chance.exponential(meanGap_s);
                times[i] = (long) at;
            }
            return times;
        }
    }

    /** One every so many seconds. */
    record Every(long gap_s) implements Arrivals {
        @Override
        public long[] times_s(final int count, final RandomDistributions chance) {
            final long[] times = new long[count];
            Arrays.setAll(times, i -> i * gap_s);
            return times;
        }
    }

    /** Each at any time within a span. */
    record Within(long span_s) implements Arrivals {
        @Override
        public long[] times_s(final int count, final RandomDistributions chance) {
            final long[] times = new long[count];
            for (int i = 0; i < count; i++) {
                times[i] = (long) (chance.uniform() * span_s);
            }
            Arrays.sort(times);
            return times;
        }
    }

    static Arrivals parse(final String text) {
        if (text.equals("together")) {
            return new Every(0);
        }
        if (!text.matches("(poisson|every|within):\\d{1,12}(\\.\\d+)?")) {
            throw new IllegalArgumentException(
                    "--arrivals must be poisson:MEAN, every:SECONDS, within:SECONDS or together, got '" + text + "'");
        }
        final double figure = Double.parseDouble(text.substring(text.indexOf(':') + 1));
        return switch (text.charAt(0)) {
            case 'p' -> new Poisson(figure);
            case 'e' -> new Every((long) figure);
            default -> new Within((long) figure);
        };
    }
}
