package io.millrace.model;

import java.util.Optional;

/** Identity of a transfer: the attempt it serves and its direction, e.g. {@code 01J….1/upload}. */
public record TransferId(String value) implements Comparable<TransferId> {

    public TransferId {
        NameForm.TOKEN.require(value, "transfer id");
    }

    public static TransferId of(final String value) {
        return new TransferId(value);
    }

    /** The attempt it serves; empty if the id does not name one. */
    public Optional<AttemptId> attempt() {
        try {
            return Optional.of(AttemptId.of(value.substring(0, Math.max(0, value.lastIndexOf('/')))));
        } catch (final IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public int compareTo(final TransferId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
