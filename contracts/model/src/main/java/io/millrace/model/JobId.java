package io.millrace.model;

/**
 * A job as its cluster knows it, written {@code cluster/local}. Workload managers reuse local ids; see {@link JobKey}.
 *
 * @param local the workload manager's own id, e.g. {@code 123}, {@code 123_7}, {@code 123[7].server}
 */
public record JobId(ClusterId cluster, String local) {

    public JobId {
        NameForm.TOKEN.require(local, "local job id");
    }

    public static JobId of(final String text) {
        final int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("'" + text + "' is not a job id (expected cluster/id)");
        }
        return new JobId(ClusterId.of(text.substring(0, slash)), text.substring(slash + 1));
    }

    @Override
    public String toString() {
        return cluster + "/" + local;
    }
}
