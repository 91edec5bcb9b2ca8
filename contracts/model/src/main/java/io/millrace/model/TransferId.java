package io.millrace.model;

/** Identity of a transfer: the attempt it serves and its direction, e.g. {@code 01J….1/upload}. */
public record TransferId(String value) implements Comparable<TransferId> {

    public TransferId {
        NameForm.TOKEN.require(value, "transfer id");
    }

    public static TransferId of(final String value) {
        return new TransferId(value);
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
