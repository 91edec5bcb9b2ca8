package io.millrace.submit.domain.job;

import io.millrace.model.cluster.JobState;
import java.util.Set;

/** Names of local job states in the API. */
public final class JobStateNames {

    /** The states of a job that waits for resources. */
    public static final Set<String> WAITING = Set.of("queued", "held", "suspended");

    private JobStateNames() {}

    /** The lower-case name of a local job's state. */
    public static String of(final JobState state) {
        return switch (state) {
            case JobState.Queued s -> "queued";
            case JobState.Held s -> "held";
            case JobState.Running s -> "running";
            case JobState.Suspended s -> "suspended";
            case JobState.Completing s -> "completing";
            case JobState.Unsettled s -> "unsettled";
            case JobState.Unknown s -> "unknown";
        };
    }
}
