package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.PlacedJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which clusters can answer differently than in the last round. */
final class ClusterChanges {

    /**
     * The clusters that changed since the last round.
     *
     * @param idle what is idle, promised or in flight there has changed: the answer may differ by lane
     * @param structure what it is, offers or allows has changed, or whether it is available: the answer may differ by owner
     */
    record Changed(Set<ClusterId> idle, Set<ClusterId> structure) {}

    private record Stamp(long changes, long placed, long structure, String unavailable) {

        boolean isSameStructure(final Stamp other) {
            return structure == other.structure && unavailable.equals(other.unavailable);
        }
    }

    private final MigrationPolicy policy;
    private final TargetClusters clusters;
    private final PlacedJobs placed;
    private final Map<ClusterId, Stamp> stamps = new HashMap<>();

    ClusterChanges(final MigrationPolicy policy, final TargetClusters clusters, final PlacedJobs placed) {
        this.policy = policy;
        this.clusters = clusters;
        this.placed = placed;
    }

    Changed take(final Instant now) {
        final Set<ClusterId> idle = new HashSet<>();
        final Set<ClusterId> structure = new HashSet<>();
        for (final TargetCluster cluster : clusters.all()) {
            final Stamp stamp = new Stamp(
                    cluster.changes(),
                    placed.changes(cluster.id()),
                    cluster.structure(),
                    cluster.closure()
                            .or(() -> cluster.unavailability(policy, now))
                            .map(Veto::code)
                            .orElse(""));
            final Stamp before = stamps.put(cluster.id(), stamp);
            if (before == null || !before.isSameStructure(stamp)) {
                structure.add(cluster.id());
            } else if (!before.equals(stamp)) {
                idle.add(cluster.id());
            }
        }
        return new Changed(idle, structure);
    }

    /** Every cluster counts as another one in the next round. */
    void forget() {
        stamps.clear();
    }

    boolean isAvailable(final ClusterId cluster) {
        final Stamp stamp = stamps.get(cluster);
        return stamp != null && stamp.unavailable().isEmpty();
    }
}
