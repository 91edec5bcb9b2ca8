package io.millrace.submit.domain;

import io.millrace.model.cluster.JobState;

/** The words under which users see states. */
public final class Words {

    private Words() {}

    /** A local job's state in one lower-case word. */
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
