package io.millrace.model;

import java.util.Locale;
import java.util.regex.Pattern;

/** Identity of a job submitted to Millrace: a ULID, 26 characters of Crockford's base 32, sortable by time of submission. */
public record GlobalJobId(String value) implements JobRef, Comparable<GlobalJobId> {

    private static final Pattern ULID = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}");

    public GlobalJobId {
        value = value.toUpperCase(Locale.ROOT);
        NamePatterns.require(value, "global job id (ULID)", ULID);
    }

    public static GlobalJobId of(final String value) {
        return new GlobalJobId(value);
    }

    public AttemptId attempt(final int number) {
        return new AttemptId(this, number);
    }

    @Override
    public int compareTo(final GlobalJobId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
