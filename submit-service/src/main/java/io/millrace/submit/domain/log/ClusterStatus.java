package io.millrace.submit.domain.log;

import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import java.time.Duration;
import java.time.Instant;

/**
 * The newest revision marker of a cluster.
 *
 * @param recordedAt timestamp of its record
 */
public record ClusterStatus(RevisionClosed marker, Instant recordedAt) {

    /** How current the state of a cluster is. */
    public enum Health {
        /** The agent and the workload manager answer. */
        ANSWERING,
        /** The agent runs but the workload manager does not answer; the state is the last one observed. */
        STALE,
        /** The agent does not report, so the state of the cluster is unknown. */
        UNAVAILABLE
    }

    public Health health(final Instant now, final Duration silentAfter) {
        if (Duration.between(recordedAt, now).compareTo(silentAfter) > 0) {
            return Health.UNAVAILABLE;
        }
        return switch (marker.health()) {
            case WlmHealth.Answering a -> Health.ANSWERING;
            case WlmHealth.Stale s -> Health.STALE;
        };
    }
}
