package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.policy.RoomOffered;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What room for waiting jobs would cost where, as quota-service says. Q-35: the cheapest is the cluster where the least work is lost, then the one
 * with the fewest victims, then the first by name.
 */
final class CheapestRoom {

    private static final Comparator<RoomOffered> CHEAPEST = Comparator.comparingLong(RoomOffered::lost_core_s)
            .thenComparingInt(RoomOffered::victims)
            .thenComparing(RoomOffered::cluster);

    private final Map<GlobalJobId, Map<ClusterId, RoomOffered>> offers = new HashMap<>();

    void put(final RoomOffered offer) {
        offers.computeIfAbsent(offer.job(), job -> new TreeMap<>()).put(offer.cluster(), offer);
    }

    void remove(final GlobalJobId job, final ClusterId cluster) {
        final Map<ClusterId, RoomOffered> all = offers.get(job);
        if (all != null && all.remove(cluster) != null && all.isEmpty()) {
            offers.remove(job);
        }
    }

    /** Among these clusters. */
    Optional<RoomOffered> of(final GlobalJobId job, final Collection<ClusterId> among) {
        return offers.getOrDefault(job, Map.of()).values().stream()
                .filter(offer -> among.contains(offer.cluster()))
                .min(CHEAPEST);
    }
}
