package io.millrace.model;

/** A node (host) as its workload manager names it. */
public record NodeName(String value) implements Comparable<NodeName> {

    public NodeName {
        NameForm.TOKEN.require(value, "node name");
    }

    public static NodeName of(final String value) {
        return new NodeName(value);
    }

    @Override
    public int compareTo(final NodeName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
