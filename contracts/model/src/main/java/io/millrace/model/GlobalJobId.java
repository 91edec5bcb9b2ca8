package io.millrace.model;

import java.util.Locale;

/** Identity of a job submitted to Millrace: a ULID, 26 characters of Crockford's base 32. Its order is not the order of submission. */
public record GlobalJobId(String value) implements JobRef, Comparable<GlobalJobId> {

    private static final NameForm ULID =
            NameForm.of("[0-7][0-9A-HJKMNP-TV-Z]{25}", "the 26 letters and digits that the submission returned");

    public GlobalJobId {
        value = value.toUpperCase(Locale.ROOT);
        ULID.require(value, "job id");
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
