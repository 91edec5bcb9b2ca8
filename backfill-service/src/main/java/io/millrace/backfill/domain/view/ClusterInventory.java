package io.millrace.backfill.domain.view;

import io.millrace.backfill.domain.SiteSettings;
import io.millrace.backfill.domain.capacity.PartitionLimit;
import io.millrace.decide.ClusterView;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.JobEligibility;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.StartRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parts of a cluster that seldom change: its size, partitions, node types and licences. */
final class ClusterInventory {

    private static final int MAX_CACHED = 10_000;

    private final SiteSettings site;
    private final Map<PartitionName, PartitionLimit> partitions = new HashMap<>();
    private final Map<PartitionName, PartitionObserved> observedPartitions = new HashMap<>();
    private final FreeNodeCapacity nodes;
    private final int coresSeen;
    private final StartRule startsSeen;
    private final JobEligibility eligibility;
    private final Map<PlacementRequest, Optional<String>> nowhere = new HashMap<>();

    ClusterInventory(final ClusterView observed, final RevisionClosed marker, final SiteSettings site) {
        this.site = site;
        this.nodes = FreeNodeCapacity.of(observed);
        this.coresSeen = marker.total().cores();
        this.startsSeen = marker.starts();
        this.eligibility = JobEligibility.of(observed);
        observed.partitions().forEach(this::limit);
    }

    private void limit(final PartitionObserved partition) {
        observedPartitions.put(partition.partition(), partition);
        partitions.put(partition.partition(), new PartitionLimit(partition.partition(), partition.cores()));
    }

    /** Whether the cluster still has the same size and starts jobs by the same rule. */
    boolean isValidFor(final RevisionClosed marker) {
        return marker.total().cores() == coresSeen && marker.starts() == startsSeen;
    }

    /** What is free on nodes that are up, as last observed. Copy it before taking from it. */
    FreeNodeCapacity nodes() {
        return nodes;
    }

    Map<PartitionName, PartitionLimit> partitions() {
        return partitions;
    }

    /** Its own walltime, else the limit of its partition; null if there is neither. */
    @Nullable
    Duration walltimeLimit(final JobObserved job) {
        return job.walltime() != null ? job.walltime() : longest(job.partition());
    }

    private @Nullable Duration longest(final PartitionName partition) {
        final PartitionObserved known = observedPartitions.get(partition);
        return known == null ? null : known.walltimeLimit();
    }

    /** Why a job could not start even on an empty cluster. */
    Optional<Veto> veto(final JobObserved job) {
        return eligibility
                .veto(JobEligibility.Request.of(job))
                .or(() -> unlicensed(job))
                .or(() -> nowhere(job));
    }

    /** Whether a job of another partition could start in this one on an empty cluster, and run for its whole walltime. */
    boolean accepts(final JobObserved job, final PartitionName other) {
        if (!observedPartitions.containsKey(other)) {
            return false;
        }
        final Duration requested = walltimeLimit(job);
        final Duration allowed = longest(other);
        final boolean isShortEnough = allowed == null || requested != null && requested.compareTo(allowed) <= 0;
        return isShortEnough && veto(job.in(other)).isEmpty();
    }

    private Optional<Veto> unlicensed(final JobObserved job) {
        for (final var want : job.detail().placement().licences().entrySet()) {
            final int owned = site.licences().getOrDefault(want.getKey(), Integer.MAX_VALUE);
            if (want.getValue() > owned) {
                return Optional.of(VetoCode.EXCEEDS_LICENCES.veto(
                        "needs " + want.getValue() + " of licence '" + want.getKey() + "', the site has " + owned));
            }
        }
        return Optional.empty();
    }

    /** Whether no node that is up meets the request; cached, since many jobs have the same request. */
    private Optional<Veto> nowhere(final JobObserved job) {
        if (nodes.isEmpty()) {
            return Optional.empty();
        }
        if (nowhere.size() > MAX_CACHED) {
            nowhere.clear();
        }
        return nowhere.computeIfAbsent(PlacementRequest.of(job), request -> Optional.ofNullable(nodes.never(request)))
                .map(reason -> (job.detail().placement().nodes().isEmpty()
                                ? VetoCode.NO_SUITABLE_NODES
                                : VetoCode.NODE_UNKNOWN)
                        .veto(reason));
    }
}
