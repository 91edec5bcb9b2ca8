package io.millrace.submit.domain.job;

import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.job.JobSpec;
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

    public static Optional<String> runObstacle(
            final UserName user,
            final JobSpec spec,
            final RevisionClosed marker,
            final List<PartitionObserved> partitions,
            final @Nullable SiteMappingObserved siteMapping) {
        if (siteMapping != null && !siteMapping.knows(user)) {
            return Optional.of("user '" + user + "' has no account on cluster '" + marker.cluster()
                    + "'; ask the operators for one");
        }
        final Resources wanted = spec.resources();
        if (wanted.cores() > marker.total().cores()) {
            return Optional.of("the job requests " + wanted.cores() + " cores, but cluster '" + marker.cluster()
                    + "' has " + marker.total().cores());
        }
        return partition(spec, partitions);
    }

    private static Optional<String> partition(final JobSpec spec, final List<PartitionObserved> partitions) {
        final PartitionName named = spec.partition();
        final Optional<PartitionObserved> partition = partitions.stream()
                .filter(seen ->
                        named == null ? seen.isDefault() : seen.partition().equals(named))
                .findFirst();
        if (partition.isEmpty()) {
            return named == null || partitions.isEmpty()
                    ? Optional.empty()
                    : Optional.of("partition '" + named + "' not found; partitions: "
                            + partitions.stream()
                                    .map(seen -> "'" + seen.partition() + "'")
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        }
        final PartitionObserved seen = partition.get();
        if (!seen.open()) {
            return Optional.of("partition '" + seen.partition() + "' is closed");
        }
        final Duration limit = seen.walltimeLimit();
        return limit != null && spec.walltime().compareTo(limit) > 0
                ? Optional.of("partition '" + seen.partition() + "' limits walltime to " + limit
                        + ", but the job requests " + spec.walltime())
                : Optional.empty();
    }

    /** Why the agent would refuse the job although it can translate it. */
    public static Optional<String> agentRefusal(final DryRunResult dryRun) {
        return dryRun.notes().stream()
                .filter(remark -> remark.startsWith(REFUSED))
                .map(remark -> remark.substring(REFUSED.length()))
                .findFirst();
    }
}
