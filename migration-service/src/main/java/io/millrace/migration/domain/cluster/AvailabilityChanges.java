package io.millrace.migration.domain.cluster;

import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.ClusterAvailability.Status;
import io.millrace.model.policy.Request.AvailabilityRequested;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What follows from the requests of operators to drain, fence and undrain a cluster. */
public final class AvailabilityChanges {

    private AvailabilityChanges() {}

    /**
     * The availability after a request; empty if it changes nothing. An undrained cluster that was fenced returns first. A fenced cluster
     * cannot be drained: that would let its agent start jobs before it has cancelled the replaced ones.
     */
    public static Optional<ClusterAvailability> after(
            final TargetCluster cluster, final AvailabilityRequested request, final Instant now) {
        final Status before = cluster.availability() == null
                ? Status.OPEN
                : cluster.availability().status();
        final Status next = switch (request.wanted()) {
            case FENCED -> Status.FENCED;
            case DRAINED -> before.isFenced() ? before : Status.DRAINED;
            case OPEN -> before.isFenced() ? Status.RETURNING : Status.OPEN;
            case RETURNING -> before;
        };
        return next == before
                ? Optional.empty()
                : Optional.of(new ClusterAvailability(
                        cluster.id(), next, request.author(), request.reason(), now, version(cluster)));
    }

    /**
     * The return of a fenced cluster to service; empty until its agent has reported since the return was requested and nothing is left of
     * the attempts that were replaced.
     *
     * @param isClear whether no job of a replaced attempt is on the cluster
     */
    public static Optional<ClusterAvailability> returned(
            final TargetCluster cluster, final BooleanSupplier isClear, final Instant now) {
        final ClusterAvailability decided = cluster.availability();
        final RevisionClosed marker = cluster.marker();
        return decided == null
                        || decided.status() != Status.RETURNING
                        || marker == null
                        || !marker.observedAt().isAfter(decided.since())
                        || !isClear.getAsBoolean()
                ? Optional.empty()
                : Optional.of(new ClusterAvailability(
                        cluster.id(), Status.OPEN, decided.author(), decided.reason(), now, version(cluster)));
    }

    private static long version(final TargetCluster cluster) {
        return cluster.availability() == null ? 1 : cluster.availability().version() + 1;
    }
}
