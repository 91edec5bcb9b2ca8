package io.millrace.model.job;

import io.millrace.model.Event;

/**
 * An instance of submit-service reserved job numbers for the submissions that it accepts. The first reservation of a number on the log is
 * the one that holds; an instance that finds its numbers taken reserves others.
 *
 * @param first the first reserved number, from 1
 * @param count how many, from {@code first} on
 */
public record NumbersReserved(long first, int count) implements Event {

    public NumbersReserved {
        if (first < 1 || count < 1) {
            throw new IllegalArgumentException(
                    "at least one number is reserved, from 1 on; got " + count + " from " + first);
        }
    }

    /** The first number that is free after this reservation. */
    public long next() {
        return first + count;
    }

    /** One key: the compacted topic keeps the last reservation, which has the highest numbers. */
    @Override
    public String key() {
        return "numbers";
    }
}
