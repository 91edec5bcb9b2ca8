package io.millrace.submit.domain.submission;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import io.millrace.submit.domain.log.ClusterStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why a cluster cannot run a job or cannot answer a dry run: one sentence with the remedy. */
public final class ClusterEligibility {

    /** Prefix of an agent's note that reports a refusal. */
    private static final String REFUSED = "it would be refused: ";

    private ClusterEligibility() {}

    public static Optional<String> dryRunObstacle(
            final ClusterStatus status, final Instant now, final Duration silentAfter) {
        final RevisionClosed marker = status.marker();
        if (status.health(now, silentAfter) == ClusterStatus.Health.UNAVAILABLE) {
            return Optional.of("its agent has not reported since " + status.recordedAt() + "; retry when it is back");
        }
        if (marker.health() instanceof WlmHealth.Stale stale) {
            return Optional.of("its workload manager does not answer: " + stale.reason());
        }
        if (!marker.capabilities().contains(Capability.DRY_RUN)) {
            return Optional.of(marker.notes()
                    .getOrDefault(Capability.DRY_RUN, "its agent does not support dry runs; update the agent"));
        }
        return Optional.empty();
    }

    /**
     * Why nothing of a user runs on the cluster for whom this issuer vouched.
     *
     * @param issuer null for a registered tool
     * @param mapping what the cluster published; null for nothing
     */
    public static Optional<Veto> issuerObstacle(
            final @Nullable ClusterId issuer, final ClusterId cluster, final @Nullable SiteMappingObserved mapping) {
        return (mapping == null ? SiteMappingObserved.none(cluster) : mapping).accepts(issuer)
                ? Optional.empty()
                : Optional.of(VetoCode.ISSUER_NOT_ACCEPTED.veto("cluster '" + cluster + "' accepts nothing of users who"
                        + " logged in on '" + issuer + "'; log in on '" + cluster
                        + "' with mglogin, or ask the operators to add '" + issuer
                        + "' to millrace.agent.accepted-issuers of '" + cluster + "'"));
    }

    /** Why the cluster cannot run the job; if the veto is permanent, it never can. */
    public static Optional<Veto> runObstacle(
            final UserName user, final JobSpec spec, final TargetRequest request, final ClusterOffer cluster) {
        final SiteMappingObserved siteMapping = cluster.siteMapping();
        if (siteMapping != null && !siteMapping.knows(user)) {
            return Optional.of(VetoCode.NO_ACCOUNT.veto("user '" + user + "' has no account on cluster '"
                    + cluster.name() + "'; ask the operators for one"));
        }
        return size(spec.resources(), cluster)
                .or(() -> partition(spec, cluster.partitions()))
                .or(() -> cluster.offering().veto(request, spec.resources()));
    }

    /** A cluster that reports no resources of a kind is not limited by it, except GPUs. */
    private static Optional<Veto> size(final Resources wanted, final ClusterOffer cluster) {
        final Resources all = cluster.capacity();
        final String obstacle;
        if (all.cores() > 0 && wanted.cores() > all.cores()) {
            obstacle = wanted.cores() + " cores, but cluster '" + cluster.name() + "' has " + all.cores();
        } else if (all.nodes() > 0 && wanted.nodes() > all.nodes()) {
            obstacle = wanted.nodes() + " nodes, but cluster '" + cluster.name() + "' has " + all.nodes();
        } else if (all.memoryMib() > 0 && wanted.memoryMib() > all.memoryMib()) {
            obstacle = wanted.memoryMib() + " MiB of memory, but cluster '" + cluster.name() + "' has "
                    + all.memoryMib() + " MiB";
        } else if (wanted.gpus() > all.gpus()) {
            obstacle = wanted.gpus() + " GPUs, but cluster '" + cluster.name() + "' has " + all.gpus();
        } else {
            return Optional.empty();
        }
        return Optional.of(VetoCode.EXCEEDS_CLUSTER.veto("the job requests " + obstacle));
    }

    private static Optional<Veto> partition(final JobSpec spec, final List<PartitionObserved> partitions) {
        final PartitionName named = spec.partition();
        final Optional<PartitionObserved> partition = partitions.stream()
                .filter(seen ->
                        named == null ? seen.isDefault() : seen.partition().equals(named))
                .findFirst();
        if (partition.isEmpty()) {
            return named == null || partitions.isEmpty()
                    ? Optional.empty()
                    : Optional.of(VetoCode.PARTITION_UNKNOWN.veto("partition '" + named + "' not found; partitions: "
                            + partitions.stream()
                                    .map(seen -> "'" + seen.partition() + "'")
                                    .sorted()
                                    .collect(Collectors.joining(", "))));
        }
        final PartitionObserved seen = partition.get();
        final Duration limit = seen.walltimeLimit();
        if (limit != null && spec.walltime().compareTo(limit) > 0) {
            return Optional.of(VetoCode.EXCEEDS_WALLTIME_LIMIT.veto("partition '" + seen.partition()
                    + "' limits walltime to " + limit + ", but the job requests " + spec.walltime()));
        }
        return seen.open()
                ? Optional.empty()
                : Optional.of(VetoCode.PARTITION_CLOSED.veto("partition '" + seen.partition() + "' is closed"));
    }

    /** Why the agent would refuse the job although it can translate it. */
    public static Optional<String> agentRefusal(final DryRunResult dryRun) {
        return dryRun.notes().stream()
                .filter(remark -> remark.startsWith(REFUSED))
                .map(remark -> remark.substring(REFUSED.length()))
                .findFirst();
    }
}
