package io.millrace.submit.domain.log;

import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import java.time.Duration;
import java.time.Instant;

/**
 * The newest marker of a cluster.
 *
 * @param at when its record was written
 */
public record ClusterStatus(RevisionClosed marker, Instant at) {

    /** What can be said of a cluster now. */
    public enum Health {
        /** Agent and workload manager answer. */
        ANSWERING,
        /** The agent is there, the workload manager does not answer it: the picture is the last one known. */
        STALE,
        /** The agent has not been heard of: unknown, not dead. */
        SILENT
    }

    public Health health(final Instant now, final Duration silentAfter) {
        if (Duration.between(at, now).compareTo(silentAfter) > 0) {
            return Health.SILENT;
        }
        return switch (marker.health()) {
            case WlmHealth.Answering a -> Health.ANSWERING;
            case WlmHealth.Stale s -> Health.STALE;
        };
    }
}
