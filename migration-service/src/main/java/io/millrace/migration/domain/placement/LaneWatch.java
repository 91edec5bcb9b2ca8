package io.millrace.migration.domain.placement;

import io.millrace.model.ClusterId;
import io.millrace.model.VetoCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Which lanes may get another answer from a cluster when so many cores are idle there. */
final class LaneWatch {

    /** Vetoes that stay as they are while only what is idle on the cluster changes. */
    private static final Set<String> STRUCTURAL = EnumSet.of(
                    VetoCode.EXCEEDS_CLUSTER,
                    VetoCode.EXCEEDS_WALLTIME_LIMIT,
                    VetoCode.EXCEEDS_PARTITION,
                    VetoCode.ACCESS_DENIED,
                    VetoCode.EXCEEDS_LICENCES,
                    VetoCode.FEATURES_MISSING,
                    VetoCode.SOFTWARE_MISSING,
                    VetoCode.PARTITION_UNKNOWN,
                    VetoCode.CLUSTER_UNSUITABLE_FOR_CLASS,
                    VetoCode.RUN_TIME_OUTSIDE_CLASS,
                    VetoCode.PARTITION_CLOSED,
                    VetoCode.NO_ACCOUNT,
                    VetoCode.NO_INCOMING_JOBS,
                    VetoCode.SOURCE_NOT_OBSERVED,
                    VetoCode.SOURCE_UNREACHABLE,
                    VetoCode.CLUSTER_NOT_OBSERVED,
                    VetoCode.CLUSTER_STALE,
                    VetoCode.AGENT_SILENT)
            .stream()
            .map(VetoCode::code)
            .collect(Collectors.toUnmodifiableSet());

    private static final String NO_IDLE_CORES = VetoCode.NO_IDLE_CORES.code();

    private record Watched(NavigableMap<Integer, Set<Lane>> byCores, Set<Lane> always) {

        Watched() {
            this(new TreeMap<>(), new LinkedHashSet<>());
        }
    }

    private final Map<ClusterId, Watched> clusters = new HashMap<>();

    void add(final Lane lane) {
        lane.codes().forEach((cluster, code) -> {
            if (STRUCTURAL.contains(code)) {
                return;
            }
            final Watched watched = clusters.computeIfAbsent(cluster, c -> new Watched());
            if (code.equals(NO_IDLE_CORES)) {
                watched.byCores()
                        .computeIfAbsent(cores(lane), c -> new LinkedHashSet<>())
                        .add(lane);
            } else {
                watched.always().add(lane);
            }
        });
    }

    void remove(final Lane lane) {
        lane.codes().keySet().forEach(cluster -> {
            final Watched watched = clusters.get(cluster);
            if (watched != null) {
                watched.byCores()
                        .computeIfPresent(
                                cores(lane), (c, lanes) -> lanes.remove(lane) && lanes.isEmpty() ? null : lanes);
                watched.always().remove(lane);
            }
        });
    }

    /** The lanes that request no more than these idle cores, and those that another veto of the cluster blocks. */
    Collection<Lane> of(final ClusterId cluster, final int idleCores) {
        final Watched watched = clusters.get(cluster);
        if (watched == null) {
            return List.of();
        }
        final List<Lane> lanes = new ArrayList<>(watched.always());
        watched.byCores().headMap(idleCores, true).values().forEach(lanes::addAll);
        return lanes;
    }

    private static int cores(final Lane lane) {
        return lane.shape().resources().cores();
    }
}
