package io.millrace.migration.domain.view;

import io.millrace.decide.AssumedCluster;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.JobEligibility;
import io.millrace.decide.PlacementRequest;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.Maintenance;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.Placement;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.job.TargetRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is idle on one cluster: in sum, and node by node if the cluster publishes its nodes; the free tokens of its licences, and the free
 * space for staged jobs.
 */
public final class IdleCapacity {

    /** A cluster with less free space takes no files, however few. */
    private static final long LEAST_DISK_MIB = 100;

    private final TargetCluster cluster;
    private final FreeNodeCapacity nodes;
    private final Instant observedAt;
    private final ClusterConditions conditions;
    private final JobEligibility eligibility;
    private final Map<String, Integer> tokens = new HashMap<>();
    private Resources idle;
    private long disk_mib;

    private IdleCapacity(final TargetCluster cluster, final FreeNodeCapacity nodes, final Resources idle) {
        final RevisionClosed marker = Objects.requireNonNull(cluster.marker());
        this.cluster = cluster;
        this.nodes = nodes;
        this.idle = idle;
        this.observedAt = marker.observedAt();
        this.conditions = cluster.view().conditions();
        this.eligibility = cluster.eligibility();
        final Map<String, LicenceTokens> licences = conditions.licences();
        if (licences != null) {
            licences.forEach((name, counted) -> tokens.put(name, counted.free()));
        }
        this.disk_mib = conditions.stagingFreeMib() == null ? Long.MAX_VALUE : conditions.stagingFreeMib();
    }

    /** @param cluster has a revision */
    public static IdleCapacity of(final TargetCluster cluster) {
        final AssumedCluster assumed = cluster.assumed();
        final FreeNodeCapacity nodes = FreeNodeCapacity.of(cluster.view());
        for (final JobKey key : assumed.commanded()) {
            final JobObserved seen = cluster.job(key);
            final JobObserved job = assumed.job(key);
            if (seen != null && seen.state().isWaiting() && job != null && job.state() instanceof JobState.Running) {
                nodes.take(PlacementRequest.of(job));
            }
        }
        final RevisionClosed marker = Objects.requireNonNull(cluster.marker());
        final Resources free = marker.free();
        final long memoryMib = marker.total().memoryMib() == 0 ? Long.MAX_VALUE : free.memoryMib();
        return new IdleCapacity(
                cluster, nodes, new Resources(assumed.idleCores(), free.nodes(), memoryMib, free.gpus()));
    }

    public int cores() {
        return idle.cores();
    }

    /** Why a job cannot start there now; empty if it can. */
    public Optional<Veto> veto(final RequestShape job) {
        final Resources needed = job.resources();
        if (!needed.fitsInto(idle)) {
            return Optional.of(VetoCode.NO_IDLE_CORES.veto(cluster.id() + ": " + ResourcesText.of(idle) + " idle at "
                    + observedAt.truncatedTo(ChronoUnit.SECONDS) + ", " + ResourcesText.of(needed) + " requested"));
        }
        return eligibility
                .notNow(eligible(job), observedAt)
                .or(() -> licences(job))
                .map(cluster::named)
                .or(() -> nodes(job));
    }

    private Optional<Veto> nodes(final RequestShape job) {
        return hasRoom(job)
                ? Optional.empty()
                : Optional.of(VetoCode.NO_SUITABLE_NODES.veto(cluster.id()
                        + ": enough is idle, but not on nodes that together fit "
                        + ResourcesText.of(job.resources())
                        + (windows(job).isEmpty() ? "" : " and are not in maintenance before the job would end")));
    }

    private boolean hasRoom(final RequestShape job) {
        final List<PartitionName> possible = eligibility.accepting(eligible(job));
        return possible.isEmpty()
                ? nodes.hasRoomFor(request(job, null))
                : possible.stream().anyMatch(partition -> nodes.hasRoomFor(request(job, partition)));
    }

    /**
     * The partition of the cluster in which a job of this owner is submitted: of those that it may use, the first where it would start now, or
     * the first.
     *
     * @return null: the default one
     */
    public @Nullable PartitionName partition(final RequestShape job, final @Nullable UserName owner) {
        if (job.partition() == null) {
            return null;
        }
        final List<PartitionName> possible = eligibility.accepting(eligible(job, owner));
        return possible.isEmpty() ? job.partition() : best(job, possible);
    }

    private PartitionName best(final RequestShape job, final List<PartitionName> possible) {
        return possible.stream()
                .filter(partition -> possible.size() > 1 && nodes.hasRoomFor(request(job, partition)))
                .findFirst()
                .orElse(possible.getFirst());
    }

    private List<Maintenance> windows(final RequestShape job) {
        return eligibility.windows(job.walltime(), observedAt);
    }

    private static Set<NodeName> closed(final List<Maintenance> windows) {
        final Set<NodeName> closed = new HashSet<>();
        windows.forEach(window -> closed.addAll(window.nodes()));
        return closed;
    }

    /** Counts the tokens that are promised to other jobs, too. */
    private Optional<Veto> licences(final RequestShape job) {
        return conditions.licences() == null
                ? Optional.empty()
                : JobEligibility.licencesInUse(job.request().licences(), tokens);
    }

    /** Why the files and results of a job from another cluster have no room; empty if they have, or if the space is unknown. */
    public Optional<Veto> diskVeto(final RequestShape job) {
        return !isStaged(job) || disk_mib >= Math.max(LEAST_DISK_MIB, disk(job))
                ? Optional.empty()
                : Optional.of(VetoCode.DISK_FULL.veto(cluster.id() + ": less than "
                        + Math.max(LEAST_DISK_MIB, disk(job)) + " MiB are free in its staging directory"));
    }

    private boolean isStaged(final RequestShape job) {
        return !cluster.id().equals(job.source());
    }

    /** What it requests, whoever owns it. */
    private static JobEligibility.Request eligible(final RequestShape job) {
        return eligible(job, null);
    }

    private static JobEligibility.Request eligible(final RequestShape job, final @Nullable UserName owner) {
        return new JobEligibility.Request(
                owner, job.project(), null, job.resources(), job.walltime(), job.partition(), job.request(), false);
    }

    /** Why no job with this request can run there, whoever owns it; empty if it can. */
    public Optional<Veto> eligibility(final RequestShape job) {
        return eligibility.veto(eligible(job)).map(cluster::named);
    }

    /** Why no job of this owner can run there; empty if they can. */
    public Optional<Veto> eligibility(final UserName owner, final @Nullable PartitionName partition) {
        return eligibility.ofOwner(owner, partition).map(cluster::named);
    }

    /** The resources when all nodes are up. */
    public Resources capacity() {
        return eligibility.capacity();
    }

    private static long disk(final RequestShape job) {
        return job.request().diskMib();
    }

    /**
     * Takes what a job needs whose files are not there yet.
     *
     * @param chosen the partition in which it is submitted; null: the default one, or not decided yet
     */
    public void promise(final RequestShape job, final @Nullable PartitionName chosen) {
        take(job, chosen);
        if (isStaged(job) && disk_mib != Long.MAX_VALUE) {
            disk_mib = Math.max(0, disk_mib - disk(job));
        }
    }

    /**
     * Takes the resources and licences of a job, if they are there.
     *
     * @param chosen see {@link #promise}
     */
    public void take(final RequestShape job, final @Nullable PartitionName chosen) {
        final Resources needed = job.resources();
        if (needed.fitsInto(idle)) {
            idle = idle.minus(needed);
            if (!nodes.isEmpty()) {
                nodes.take(request(job, chosen == null ? anyPartition(job) : chosen));
            }
            job.request()
                    .licences()
                    .forEach((name, count) ->
                            tokens.computeIfPresent(name, (licence, free) -> Math.max(0, free - count)));
        }
    }

    /** Alternatives of features are left to the workload manager, which chooses the nodes. */
    private PlacementRequest request(final RequestShape job, final @Nullable PartitionName partition) {
        final TargetRequest wanted = job.request();
        final List<String> features = wanted.features().stream()
                .filter(feature -> feature.indexOf('|') < 0)
                .toList();
        return new PlacementRequest(
                job.resources(),
                new Placement(features, 0, wanted.exclusive(), outside(windows(job)), Map.of()),
                partition);
    }

    private @Nullable PartitionName anyPartition(final RequestShape job) {
        final List<PartitionName> possible = eligibility.accepting(eligible(job));
        return possible.isEmpty() ? null : best(job, possible);
    }

    /** The nodes outside of these windows; empty if there are no windows of certain nodes. */
    private List<NodeName> outside(final List<Maintenance> windows) {
        final Set<NodeName> closed = closed(windows);
        return closed.isEmpty()
                ? List.of()
                : cluster.view().nodes().stream()
                        .map(NodeObserved::node)
                        .filter(node -> !closed.contains(node))
                        .toList();
    }
}
