package io.millrace.submit.domain.submission;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RevisionClosed;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * For what {@code rusage[mem=…]} reserves memory on the LSF clusters of the site.
 *
 * @param perHost clusters that reserve it on each host
 * @param perSlot clusters that reserve it for each slot
 */
public record LsfMemory(Set<ClusterId> perHost, Set<ClusterId> perSlot) {

    /** Each host, as LSF does by default. */
    public static final LsfMemory DEFAULT = new LsfMemory(Set.of(), Set.of());

    public LsfMemory {
        perHost = Set.copyOf(perHost);
        perSlot = Set.copyOf(perSlot);
    }

    public static LsfMemory of(final List<RevisionClosed> markers) {
        final Set<ClusterId> hosts = new HashSet<>();
        final Set<ClusterId> slots = new HashSet<>();
        markers.stream()
                .filter(marker -> marker.wlm().matches("(lsf|openlava)\\b.*"))
                .forEach(marker -> {
                    (Boolean.TRUE.equals(marker.memoryPerSlot()) ? slots : hosts).add(marker.cluster());
                });
        return new LsfMemory(hosts, slots);
    }

    /**
     * Whether a script requests memory for each slot: the rule of the cluster that the job is for, otherwise of the one where it is submitted,
     * otherwise of all LSF clusters.
     *
     * @return empty if the clusters have different rules
     */
    Optional<Boolean> countsSlots(final @Nullable String target, final @Nullable String source) {
        for (final @Nullable String name : new @Nullable String[] {target, source}) {
            if (isIn(perSlot, name) || isIn(perHost, name)) {
                return Optional.of(isIn(perSlot, name));
            }
        }
        return perSlot.isEmpty() || perHost.isEmpty() ? Optional.of(!perSlot.isEmpty()) : Optional.empty();
    }

    private static boolean isIn(final Set<ClusterId> clusters, final @Nullable String name) {
        return clusters.stream().anyMatch(cluster -> cluster.value().equals(name));
    }
}
