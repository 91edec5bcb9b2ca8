package io.millrace.model;

/** What a decision can be about: a job local to one cluster, or a global job. Both have one textual form. */
public sealed interface JobRef permits JobKey, GlobalJobId {

    /** Reads {@code cluster/id@time} as a {@link JobKey}, anything else as a {@link GlobalJobId}. */
    static JobRef of(final String text) {
        return text.indexOf('/') >= 0 ? JobKey.of(text) : GlobalJobId.of(text);
    }
}
