package io.millrace.model.job;

import java.util.Locale;

/** Which of the clusters that can run a job gets it. The source cluster of the job goes first if it can start the job now. */
public enum TargetRule {
    /** The first cluster in the performance order that can start the job now. */
    PERFORMANCE_ORDER,
    /**
     * The cluster where the job is predicted to end first: its predicted start there, the time of the transfer, and the walltime times the
     * run-time factor of the cluster. The job waits if that is a cluster that cannot start it now.
     */
    EARLIEST_END,
    /** The cluster with the smallest run-time factor among those that can start the job now. */
    LEAST_CORE_HOURS,
    /** The source cluster if it can ever run the job, else the one with the shortest transfer among those that can start it now. */
    DATA_LOCALITY;

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** As users write it, e.g. {@code earliest-end}. */
    public String word() {
        return word;
    }
}
