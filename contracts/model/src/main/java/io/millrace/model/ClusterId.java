package io.millrace.model;

/** Name of a cluster at this site: lower-case letters, digits and dashes, at most 63 characters, e.g. {@code alpha}. */
public record ClusterId(String value) implements Comparable<ClusterId> {

    public ClusterId {
        NameForm.NAME.require(value, "cluster name");
    }

    public static ClusterId of(final String value) {
        return new ClusterId(value);
    }

    public static boolean isValid(final String value) {
        return NameForm.NAME.isValid(value);
    }

    @Override
    public int compareTo(final ClusterId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
