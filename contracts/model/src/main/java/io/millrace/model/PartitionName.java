package io.millrace.model;

/** A partition of a cluster; the queues of PBS and LSF are partitions too. */
public record PartitionName(String value) implements Comparable<PartitionName> {

    public PartitionName {
        NameForm.TOKEN.require(value, "partition name");
    }

    public static PartitionName of(final String value) {
        return new PartitionName(value);
    }

    @Override
    public int compareTo(final PartitionName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
