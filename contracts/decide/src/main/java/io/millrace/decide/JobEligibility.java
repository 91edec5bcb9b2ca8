package io.millrace.decide;

import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.Maintenance;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.SitePartition;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job can run on a cluster and in a partition, whatever runs there now. All services ask it, so a job is neither placed, nor
 * reserved for, nor made room for where it cannot run, and the reason is the same sentence everywhere.
 *
 * @param capacity resources when all nodes are up
 */
public record JobEligibility(Collection<PartitionObserved> partitions, ClusterOffering offering, Resources capacity) {

    /**
     * What the answer depends on.
     *
     * @param owner and {@code project} by their names at the site; null: whoever owns it, see {@link JobEligibility#ofOwner}
     * @param qos null: not known
     * @param walltime null: unlimited
     * @param partition the site's name for partitions, or one of the cluster; null: the default one
     * @param wanted features, software and licences
     * @param inQueue whether its workload manager has accepted it; then its partition is one of the cluster, and does not restrict it if it is
     *     not observed
     */
    public record Request(
            @Nullable UserName owner,
            @Nullable ProjectName project,
            @Nullable String qos,
            Resources resources,
            @Nullable Duration walltime,
            @Nullable PartitionName partition,
            TargetRequest wanted,
            boolean inQueue) {

        public static Request of(final JobObserved job) {
            return new Request(
                    job.owner(),
                    job.project(),
                    job.detail().qos(),
                    job.resources(),
                    job.walltime(),
                    job.partition(),
                    new TargetRequest(
                            null,
                            List.of(),
                            job.detail().placement().features(),
                            job.detail().placement().exclusive(),
                            job.detail().placement().licences(),
                            List.of(),
                            0),
                    true);
        }

        public static Request of(final UserName owner, final JobSpec spec, final TargetRequest wanted) {
            return new Request(
                    owner, spec.project(), null, spec.resources(), spec.walltime(), spec.partition(), wanted, false);
        }

        public Request in(final PartitionName other) {
            return new Request(owner, project, qos, resources, walltime, other, wanted, inQueue);
        }
    }

    /** @param cluster with a revision */
    public static JobEligibility of(final ClusterView cluster) {
        return of(cluster.partitions(), cluster.offering(), total(cluster));
    }

    /** @param up resources of the nodes that are up */
    public static JobEligibility of(
            final Collection<PartitionObserved> partitions, final ClusterOffering offering, final Resources up) {
        final Resources all =
                offering.nodes().stream().map(NodeObserved::total).reduce(Resources.NONE, Resources::plus);
        return new JobEligibility(partitions, offering, all.cores() > up.cores() ? all : up);
    }

    private static Resources total(final ClusterView cluster) {
        return cluster.marker() == null ? Resources.NONE : cluster.marker().total();
    }

    /** Why the job cannot run here even if nothing else ran; empty if it can. */
    public Optional<Veto> veto(final Request job) {
        return account(job)
                .or(() -> size(job))
                .or(() -> partition(job))
                .or(() -> offering.veto(job.wanted(), job.resources()));
    }

    /** Why it cannot start at this time although enough is idle: it would run into maintenance, or licence tokens are in use. */
    public Optional<Veto> notNow(final Request job, final Instant start) {
        return maintenance(job, start).or(() -> licences(job));
    }

    /** Why no job of this owner can run in a partition; null: the default one. What the owner does not matter for is not asked. */
    public Optional<Veto> ofOwner(final UserName owner, final @Nullable PartitionName partition) {
        return account(owner)
                .or(() -> leastLasting(meant(partition, false).stream()
                        .map(meant -> noAccess(owner, meant))
                        .toList()));
    }

    private Optional<Veto> account(final Request job) {
        return job.inQueue() || job.owner() == null ? Optional.empty() : account(job.owner());
    }

    private Optional<Veto> account(final UserName owner) {
        return offering.siteMapping() == null || offering.siteMapping().knows(owner)
                ? Optional.empty()
                : Optional.of(VetoCode.NO_ACCOUNT.veto("user '" + owner
                        + "' has no account on this cluster; an operator can add one to the agent's site mapping"));
    }

    /**
     * A cluster that reports no memory, nodes or cores is not limited by them. One that reports no GPUs has none, unless its workload manager
     * accepted a job that requests some.
     */
    private Optional<Veto> size(final Request job) {
        final Resources wanted = job.resources();
        if (capacity.cores() > 0 && wanted.cores() > capacity.cores()) {
            return tooLarge(wanted.cores() + " cores", capacity.cores() + "");
        }
        if (capacity.nodes() > 0 && wanted.nodes() > capacity.nodes()) {
            return tooLarge(wanted.nodes() + " nodes", capacity.nodes() + "");
        }
        if (capacity.memoryMib() > 0 && wanted.memoryMib() > capacity.memoryMib()) {
            return tooLarge(wanted.memoryMib() + " MiB of memory", capacity.memoryMib() + " MiB");
        }
        return wanted.gpus() > capacity.gpus() && (capacity.gpus() > 0 || !job.inQueue())
                ? tooLarge(wanted.gpus() + " GPUs", capacity.gpus() + "")
                : Optional.empty();
    }

    private static Optional<Veto> tooLarge(final String wanted, final String offered) {
        return Optional.of(VetoCode.EXCEEDS_CLUSTER.veto("needs " + wanted + ", the cluster has " + offered));
    }

    /** The partitions that a request means: those of a site's name, else the one of the cluster that it names, else the default one. */
    private List<PartitionObserved> meant(final @Nullable PartitionName named, final boolean inQueue) {
        if (named == null) {
            return partitions.stream()
                    .filter(PartitionObserved::isDefault)
                    .limit(1)
                    .toList();
        }
        return localNames(named, inQueue).stream()
                .flatMap(name -> partitions.stream()
                        .filter(seen -> seen.partition().equals(name))
                        .limit(1))
                .toList();
    }

    private List<PartitionName> localNames(final PartitionName named, final boolean inQueue) {
        final SitePartition site = inQueue ? null : sitePartitions().get(named);
        return site == null ? List.of(named) : site.partitions();
    }

    private Map<PartitionName, SitePartition> sitePartitions() {
        return offering.siteMapping() == null
                ? Map.of()
                : offering.siteMapping().sitePartitions();
    }

    /**
     * The names of the cluster for the partitions in which the job can run, best first; those that the cluster has not published are assumed
     * to be there. Empty if it names none and the default one is unknown, or if none accepts it.
     */
    public List<PartitionName> accepting(final Request job) {
        if (partitions.isEmpty() && job.partition() != null) {
            return localNames(job.partition(), job.inQueue());
        }
        return meant(job.partition(), job.inQueue()).stream()
                .filter(partition -> in(partition, job).isEmpty())
                .map(PartitionObserved::partition)
                .toList();
    }

    /** Why the job cannot run in this partition. */
    public Optional<Veto> in(final PartitionObserved partition, final Request job) {
        return closed(job, partition)
                .or(() -> exceeds(job.resources(), partition))
                .or(() -> tooLong(job, partition))
                .or(() -> noAccess(job, partition));
    }

    private Optional<Veto> partition(final Request job) {
        final List<PartitionObserved> meant = meant(job.partition(), job.inQueue());
        if (!meant.isEmpty()) {
            return siteLimits(job)
                    .or(() -> leastLasting(
                            meant.stream().map(partition -> in(partition, job)).toList()));
        }
        return job.partition() == null || job.inQueue() || partitions.isEmpty()
                ? Optional.empty()
                : Optional.of(unknown(job.partition()));
    }

    /** Empty if one is; else the first of those that may go, else the first. */
    private static Optional<Veto> leastLasting(final List<Optional<Veto>> vetoes) {
        if (vetoes.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        final List<Veto> all = vetoes.stream().flatMap(Optional::stream).toList();
        return all.stream()
                .filter(veto -> !veto.permanent())
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    private Veto unknown(final PartitionName named) {
        final SitePartition site = sitePartitions().get(named);
        final Stream<PartitionName> known =
                partitions.stream().map(PartitionObserved::partition).sorted();
        return VetoCode.PARTITION_UNKNOWN.veto((site == null
                        ? "partition '" + named + "' not found"
                        : "the site mapping names " + quoted(site.partitions().stream()) + " for partition '" + named
                                + "', which the cluster does not have")
                + "; partitions: "
                + quoted(Stream.concat(
                                sitePartitions().keySet().stream()
                                        .filter(name -> site == null)
                                        .sorted(),
                                known)
                        .distinct()));
    }

    private static String quoted(final Stream<PartitionName> names) {
        return names.map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }

    /** What the site allows under its own name for the partition. */
    private Optional<Veto> siteLimits(final Request job) {
        final SitePartition site = job.inQueue() || job.partition() == null
                ? null
                : sitePartitions().get(job.partition());
        if (site == null) {
            return Optional.empty();
        }
        final Resources wanted = job.resources();
        if (site.walltime() != null && job.walltime() != null && job.walltime().compareTo(site.walltime()) > 0) {
            return Optional.of(VetoCode.EXCEEDS_WALLTIME_LIMIT.veto(
                    "requests " + job.walltime() + ", the site allows " + site.walltime() + allowedIn(job)));
        }
        return beyond(site.cores(), wanted.cores(), "cores", job)
                .or(() -> beyond(site.nodes(), wanted.nodes(), "nodes", job))
                .or(() -> beyond(site.gpus(), wanted.gpus(), "GPUs", job));
    }

    private static Optional<Veto> beyond(
            final @Nullable Integer limit, final int wanted, final String what, final Request job) {
        return limit == null || wanted <= limit
                ? Optional.empty()
                : Optional.of(VetoCode.EXCEEDS_PARTITION.veto(
                        "needs " + wanted + " " + what + ", the site allows " + limit + allowedIn(job)));
    }

    private static String allowedIn(final Request job) {
        return " a job in '" + job.partition() + "'";
    }

    private Optional<Veto> closed(final Request job, final PartitionObserved partition) {
        return partition.open() && (job.inQueue() || partition.limits().accepts())
                ? Optional.empty()
                : Optional.of(VetoCode.PARTITION_CLOSED.veto(named(partition) + " is closed"));
    }

    private Optional<Veto> exceeds(final Resources wanted, final PartitionObserved partition) {
        final PartitionLimits limits = partition.limits();
        if (wanted.cores() > partition.cores()) {
            return exceeds(wanted.cores() + " cores", partition, " has " + partition.cores());
        }
        if (limits.maxCores() != null && wanted.cores() > limits.maxCores()) {
            return exceeds(wanted.cores() + " cores", partition, " allows " + limits.maxCores() + " a job");
        }
        if (limits.maxNodes() != null && wanted.nodes() > limits.maxNodes()) {
            return exceeds(wanted.nodes() + " nodes", partition, " allows " + limits.maxNodes() + " a job");
        }
        return wanted.nodes() > 0 && wanted.nodes() < limits.minNodes()
                ? exceeds(wanted.nodes() + " nodes", partition, " requires " + limits.minNodes() + " a job")
                : Optional.empty();
    }

    private Optional<Veto> exceeds(final String wanted, final PartitionObserved partition, final String offered) {
        return Optional.of(VetoCode.EXCEEDS_PARTITION.veto("needs " + wanted + ", " + named(partition) + offered));
    }

    private Optional<Veto> tooLong(final Request job, final PartitionObserved partition) {
        final Duration limit = partition.walltimeLimit();
        return job.walltime() != null && limit != null && job.walltime().compareTo(limit) > 0
                ? Optional.of(VetoCode.EXCEEDS_WALLTIME_LIMIT.veto(
                        "requests " + job.walltime() + ", " + named(partition) + " allows " + limit))
                : Optional.empty();
    }

    /** Access lists contain the names that the cluster uses. Unix groups are known to the workload manager only. */
    private Optional<Veto> noAccess(final Request job, final PartitionObserved partition) {
        final Access access = partition.access();
        final Optional<Veto> owner = job.owner() == null ? Optional.empty() : noAccess(job.owner(), partition);
        if (owner.isPresent()) {
            return owner;
        }
        if (job.project() != null && !isListed(access.projects(), access.deniedProjects(), project(job.project()))) {
            return Optional.of(
                    VetoCode.ACCESS_DENIED.veto("project '" + job.project() + "' may not use " + named(partition)));
        }
        return access.takes(job.qos())
                ? Optional.empty()
                : Optional.of(
                        VetoCode.ACCESS_DENIED.veto(named(partition) + " takes no jobs of QoS '" + job.qos() + "'"));
    }

    private Optional<Veto> noAccess(final UserName owner, final PartitionObserved partition) {
        final Access access = partition.access();
        return isListed(access.users(), access.deniedUsers(), accountOf(owner))
                ? Optional.empty()
                : Optional.of(VetoCode.ACCESS_DENIED.veto("'" + owner + "' may not use " + named(partition)));
    }

    private static <T> boolean isListed(final Set<T> allowed, final Set<T> denied, final T name) {
        return (allowed.isEmpty() || allowed.contains(name)) && !denied.contains(name);
    }

    private UserName accountOf(final UserName owner) {
        return offering.siteMapping() == null
                ? owner
                : offering.siteMapping().accounts().getOrDefault(owner, owner);
    }

    private ProjectName project(final ProjectName project) {
        return offering.siteMapping() == null
                ? project
                : offering.siteMapping().projects().getOrDefault(project, project);
    }

    /** By the site's name and its own if the site has exactly one name for it. */
    private String named(final PartitionObserved partition) {
        final List<PartitionName> site = siteNames(partition.partition());
        return site.size() == 1 && !site.getFirst().equals(partition.partition())
                ? "partition '" + site.getFirst() + "' (" + partition.partition() + ")"
                : "partition '" + partition.partition() + "'";
    }

    /** The site's names that mean a partition of the cluster. */
    public List<PartitionName> siteNames(final PartitionName partition) {
        return sitePartitions().entrySet().stream()
                .filter(site -> site.getValue().partitions().contains(partition))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** The maintenance windows in which the job would run. */
    public List<Maintenance> windows(final @Nullable Duration walltime, final Instant start) {
        return offering.conditions().maintenance().stream()
                .filter(window -> walltime == null ? start.isBefore(window.until()) : window.overlaps(start, walltime))
                .toList();
    }

    /** Vetoes a cluster whose nodes are too few without those in a maintenance window before the end of the job. */
    private Optional<Veto> maintenance(final Request job, final Instant start) {
        final List<Maintenance> windows = windows(job.walltime(), start);
        if (windows.isEmpty()) {
            return Optional.empty();
        }
        final Set<NodeName> closed = new HashSet<>();
        windows.forEach(window -> closed.addAll(window.nodes()));
        final Collection<NodeObserved> nodes = offering.nodes();
        final long left = nodes.stream()
                .filter(node -> !closed.contains(node.node()))
                .mapToLong(node -> node.total().cores())
                .sum();
        final boolean whole = windows.stream().anyMatch(window -> window.nodes().isEmpty());
        if (!whole && (nodes.isEmpty() || left >= job.resources().cores())) {
            return Optional.empty();
        }
        final Maintenance first = windows.getFirst();
        return Optional.of(VetoCode.MAINTENANCE.veto(
                "the job would run into maintenance '" + first.name() + "' from " + first.from() + " to "
                        + first.until() + "; it requests "
                        + (job.walltime() == null ? "no walltime limit" : job.walltime())));
    }

    private Optional<Veto> licences(final Request job) {
        final Map<String, LicenceTokens> known = offering.conditions().licences();
        return known == null
                ? Optional.empty()
                : licencesInUse(
                        job.wanted().licences(),
                        known.entrySet().stream()
                                .collect(Collectors.toMap(
                                        Map.Entry::getKey,
                                        tokens -> tokens.getValue().free())));
    }

    /**
     * Vetoes a job that wants more licence tokens than are free.
     *
     * @param free by name
     */
    public static Optional<Veto> licencesInUse(final Map<String, Integer> wanted, final Map<String, Integer> free) {
        return wanted.entrySet().stream()
                .filter(licence -> free.getOrDefault(licence.getKey(), 0) < licence.getValue())
                .findFirst()
                .map(licence -> VetoCode.LICENCES_IN_USE.veto(
                        "fewer than " + licence.getValue() + " tokens of licence '" + licence.getKey() + "' are free"));
    }
}
