package io.millrace.testing;

import java.util.Random;
import java.util.stream.Stream;

/**
 * How much of a long campaign of tests a run takes. Without settings it is the same sample in every run, so that a
 * failure is a fault of the change that was made. The environment variable {@code MILLRACE_TEST_SEED} gives another sample; {@code
 * MILLRACE_TEST_WHOLE=true} runs the whole campaign.
 */
public final class Sample {
    private static final long SEED = readSeed();

    private Sample() {}

    /** The seed of this run's samples. */
    public static long seed() {
        return SEED;
    }

    public static boolean isWhole() {
        return Boolean.parseBoolean(System.getenv("MILLRACE_TEST_WHOLE"));
    }

    /**
     * One of the cases, chosen by the seed; all of them in a whole run.
     *
     * @param test name of the test, so that tests choose independently of each other
     */
    @SafeVarargs
    public static <T> Stream<T> of(String test, T... cases) {
        return isWhole() ? Stream.of(cases) : Stream.of(cases[random(test).nextInt(cases.length)]);
    }

    /** The number of rounds of a campaign: {@code few} in a sample, {@code all} in a whole run. */
    public static int rounds(int few, int all) {
        return isWhole() ? all : few;
    }

    /**
     * A generator that gives the same numbers for the same seed, whatever other tests run.
     *
     * @param test name of the test, so that tests choose independently of each other
     */
    public static Random random(String test) {
        return new Random(SEED * 31 + test.hashCode());
    }

    private static long readSeed() {
        String given = System.getenv("MILLRACE_TEST_SEED");
        long seed = given != null ? Long.parseLong(given) : 1;
        System.out.println("[sample] seed " + seed + "; MILLRACE_TEST_SEED=" + seed + " repeats it");
        return seed;
    }
}
