package io.millrace.migration.domain.view;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.policy.PlacementOffered;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The cost of placing waiting jobs by preemption, per cluster, as quota-service offers it. Q-35: the cheapest cluster is the one where
 * the least work is lost, then the one with the fewest victims, then the first by name.
 */
public final class CheapestPlacement {

    private static final Comparator<PlacementOffered> CHEAPEST = Comparator.comparingLong(
                    PlacementOffered::lostCoreSeconds)
            .thenComparingInt(PlacementOffered::victims)
            .thenComparing(PlacementOffered::cluster);

    private final Map<GlobalJobId, Map<ClusterId, PlacementOffered>> offers = new HashMap<>();

    public void put(final PlacementOffered offer) {
        offers.computeIfAbsent(offer.job(), job -> new TreeMap<>()).put(offer.cluster(), offer);
    }

    /** Returns whether other offers for the job remain. */
    public boolean remove(final GlobalJobId job, final ClusterId cluster) {
        return offers.computeIfPresent(job, (id, all) -> {
                    all.remove(cluster);
                    return all.isEmpty() ? null : all;
                })
                != null;
    }

    /** Whether there are offers for the job. */
    public boolean exist(final GlobalJobId job) {
        return offers.containsKey(job);
    }

    /** The cheapest offer among these clusters. */
    public Optional<PlacementOffered> of(final GlobalJobId job, final Collection<ClusterId> among) {
        return offers.getOrDefault(job, Map.of()).values().stream()
                .filter(offer -> among.contains(offer.cluster()))
                .min(CHEAPEST);
    }
}
