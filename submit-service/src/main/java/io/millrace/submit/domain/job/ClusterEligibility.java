package io.millrace.submit.domain.job;

import io.millrace.submit.domain.log.ClusterStatus;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What keeps a job from a cluster, or us from asking it; one sentence each, with the remedy. */
public final class ClusterEligibility {

    /** How an agent's remark begins that says more than a remark. */
    private static final String REFUSED = "it would be refused: ";

    private ClusterEligibility() {}

    public static Optional<String> toAsking(final ClusterStatus heard, final Instant now, final Duration silentAfter) {
        final RevisionClosed marker = heard.marker();
        if (heard.health(now, silentAfter) == ClusterStatus.Health.SILENT) {
            return Optional.of("its agent was last heard of at " + heard.at() + "; ask again when it is back");
        }
        if (marker.health() instanceof WlmHealth.Stale stale) {
            return Optional.of("its workload manager does not answer: " + stale.reason());
        }
        if (!marker.capabilities().contains(Capability.DRY_RUN)) {
            return Optional.of(marker.notes()
                    .getOrDefault(
                            Capability.DRY_RUN, "its agent cannot translate without submitting; bring it up to date"));
        }
        return Optional.empty();
    }

    public static Optional<String> toRunning(
            final UserName user,
            final JobSpec spec,
            final RevisionClosed marker,
            final List<PartitionObserved> partitions,
            final @Nullable SiteMappingObserved surroundings) {
        if (surroundings != null && !surroundings.knows(user)) {
            return Optional.of(
                    "'" + user + "' has no account on '" + marker.cluster() + "'; ask its operators for one");
        }
        final Resources wanted = spec.resources();
        if (wanted.cores() > marker.total().cores()) {
            return Optional.of("it asks for " + wanted.cores() + " cores, '" + marker.cluster() + "' has "
                    + marker.total().cores());
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
                    : Optional.of("it has no partition '" + named + "', only "
                            + partitions.stream()
                                    .map(seen -> "'" + seen.partition() + "'")
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        }
        final PartitionObserved seen = partition.get();
        if (!seen.open()) {
            return Optional.of("its partition '" + seen.partition() + "' is closed");
        }
        final Duration limit = seen.walltimeLimit();
        return limit != null && spec.walltime().compareTo(limit) > 0
                ? Optional.of("its partition '" + seen.partition() + "' takes jobs of at most " + limit
                        + ", this one asks" + " for " + spec.walltime())
                : Optional.empty();
    }

    /** Why an agent that could translate it would not take it all the same. */
    public static Optional<String> inRehearsal(final DryRunResult rehearsal) {
        return rehearsal.notes().stream()
                .filter(remark -> remark.startsWith(REFUSED))
                .map(remark -> remark.substring(REFUSED.length()))
                .findFirst();
    }
}
