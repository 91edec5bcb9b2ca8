package io.millrace.model;

/**
 * One placement of a global job on one cluster; its text {@code ULID.number} tags the local job in the workload manager.
 *
 * @param number counts from 1
 */
public record AttemptId(GlobalJobId job, int number) {

    public AttemptId {
        if (number < 1) {
            throw new IllegalArgumentException("attempt numbers count from 1, got " + number);
        }
    }

    public static AttemptId of(final String text) {
        final int dot = text.lastIndexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("'" + text + "' is not an attempt id (expected ULID.number)");
        }
        return new AttemptId(GlobalJobId.of(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
    }

    @Override
    public String toString() {
        return job + "." + number;
    }
}
