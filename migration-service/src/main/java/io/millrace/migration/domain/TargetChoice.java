package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Chooses the target of a waiting job: its own cluster if that can run it now, else the first in the performance order whose idle
 * cores suffice (paper 1, section 2.2.2, step 2).
 *
 * <p>Beyond the paper: where no idle cores suffice, a job goes where others give way to it and lose least; a job pinned to a cluster waits in that cluster's queue rather than here, and a job that has found no idle
 * cores for {@link MigrationPolicy#queueAfter()} is handed to the first cluster that could run it some day, its own first, so that wide jobs
 * are not passed by narrow ones for ever.
 */
final class TargetChoice {

    private record Asked(TargetCluster cluster, Optional<Veto> veto) {
        boolean lacksOnlyIdleCores() {
            return veto.isPresent() && VetoCode.NO_IDLE_CORES.isOf(veto.get());
        }
    }

    private final MigrationPolicy policy;
    private final TargetClusters clusters;
    private final CheapestPlacement room;

    TargetChoice(final MigrationPolicy policy, final TargetClusters clusters, final CheapestPlacement room) {
        this.policy = policy;
        this.clusters = clusters;
        this.room = room;
    }

    PlacementDecision choose(final GlobalJob job, final UnpromisedCores idle, final Instant now) {
        final JobSubmitted submission = job.submission();
        final List<Asked> asked = new ArrayList<>();
        for (final TargetCluster cluster : candidates(submission)) {
            final Optional<Veto> veto = veto(job, cluster, idle, now);
            if (veto.isEmpty()) {
                return new PlacementDecision.Place(cluster.id(), why(submission, cluster, idle, asked));
            }
            asked.add(new Asked(cluster, veto));
        }
        final Optional<PlacementDecision> cheapest = whereOthersGiveWay(job, asked);
        if (cheapest.isPresent()) {
            return cheapest.get();
        }
        if (!job.since().plus(policy.queueAfter()).isAfter(now)) {
            final Optional<Asked> queue =
                    asked.stream().filter(Asked::lacksOnlyIdleCores).findFirst();
            if (queue.isPresent()) {
                return new PlacementDecision.Place(
                        queue.get().cluster().id(),
                        "no cluster has had idle cores for it for " + policy.queueAfter()
                                + ": it waits in the queue of "
                                + queue.get().cluster().id());
            }
        }
        return refusal(submission, asked);
    }

    /** a user within quota does not wait for idle cores anywhere if others would give way. */
    private Optional<PlacementDecision> whereOthersGiveWay(final GlobalJob job, final List<Asked> asked) {
        final List<ClusterId> possible = asked.stream()
                .filter(Asked::lacksOnlyIdleCores)
                .map(one -> one.cluster().id())
                .toList();
        return room.of(job.id(), possible)
                .map(offer -> new PlacementDecision.Place(
                        offer.cluster(),
                        "no cluster has idle cores for it, and on " + offer.cluster() + " room costs least: "
                                + offer.reason()));
    }

    private List<TargetCluster> candidates(final JobSubmitted submission) {
        return submission.target() != null
                ? List.of(clusters.of(submission.target()))
                : clusters.inOrder(submission.source(), policy.performanceOrder());
    }

    private Optional<Veto> veto(final GlobalJob job, final TargetCluster cluster, final UnpromisedCores idle, final Instant now) {
        final JobSubmitted submission = job.submission();
        return cluster.unavailability(policy, now)
                .or(() -> account(submission, cluster))
                .or(() -> failedBefore(job, cluster.id()))
                .or(() -> reach(submission, cluster))
                .or(() -> partition(submission.spec(), cluster))
                .or(() -> size(submission.spec(), cluster))
                .or(() -> isPinned(submission) ? Optional.empty() : room(submission.spec(), cluster, idle));
    }

    private static boolean isPinned(final JobSubmitted submission) {
        return submission.target() != null;
    }

    /** Whether its owner is anybody there. */
    private static Optional<Veto> account(final JobSubmitted submission, final TargetCluster cluster) {
        final SiteMappingObserved around = cluster.view().surroundings();
        return around == null || around.knows(submission.owner())
                ? Optional.empty()
                : Optional.of(VetoCode.NO_ACCOUNT.veto(cluster.id() + ": user '" + submission.owner()
                        + "' has no account there; its operators can give one in the agent's surroundings"));
    }

    private static Optional<Veto> failedBefore(final GlobalJob job, final ClusterId cluster) {
        return job.attempts().stream()
                .filter(attempt -> attempt.cluster().equals(cluster))
                .max(Comparator.comparingInt(Attempt::number))
                .map(attempt -> VetoCode.ATTEMPT_FAILED.veto(
                        cluster + ": attempt " + attempt.number() + " could not be run there"));
    }

    /** Whether files can come there and back. */
    private Optional<Veto> reach(final JobSubmitted submission, final TargetCluster cluster) {
        if (cluster.id().equals(submission.source())) {
            return Optional.empty();
        }
        final RevisionClosed marker = marker(cluster);
        if (marker.stagingRoot() == null || !marker.capabilities().contains(Capability.TRANSFER)) {
            return Optional.of(VetoCode.NO_INCOMING_JOBS.veto(
                    cluster.id() + ": takes no jobs of other clusters (its agent has no transfer or no"
                            + " millrace.agent.staging-root)"));
        }
        final RevisionClosed home = clusters.of(submission.source()).marker();
        if (home == null) {
            return Optional.of(VetoCode.SOURCE_NOT_OBSERVED.veto(cluster.id() + ": the job's own cluster "
                    + submission.source() + " was not seen yet, so its files" + " cannot be fetched"));
        }
        if (!home.capabilities().contains(Capability.TRANSFER)) {
            return Optional.of(VetoCode.SOURCE_UNREACHABLE.veto(
                    cluster.id() + ": the agent of " + submission.source() + " cannot bring results home"));
        }
        return Optional.empty();
    }

    private static Optional<Veto> partition(final JobSpec spec, final TargetCluster cluster) {
        final Optional<PartitionObserved> meant = cluster.view().partitions().stream()
                .filter(p ->
                        spec.partition() == null ? p.isDefault() : p.partition().equals(spec.partition()))
                .findFirst();
        if (meant.isEmpty()) {
            return spec.partition() == null
                    ? Optional.empty()
                    : Optional.of(VetoCode.PARTITION_UNKNOWN.veto(
                            cluster.id() + ": has no partition '" + spec.partition() + "'"));
        }
        final PartitionObserved partition = meant.get();
        final String name = cluster.id() + ": partition '" + partition.partition() + "' ";
        if (partition.walltimeLimit() != null && spec.walltime().compareTo(partition.walltimeLimit()) > 0) {
            return Optional.of(VetoCode.EXCEEDS_WALLTIME_LIMIT.veto(
                    name + "ends jobs after " + partition.walltimeLimit() + ", " + spec.walltime() + " asked"));
        }
        if (spec.resources().cores() > partition.cores()) {
            return Optional.of(VetoCode.EXCEEDS_CLUSTER.veto(name + "has " + partition.cores() + " cores, "
                    + spec.resources().cores() + " asked"));
        }
        return partition.open() ? Optional.empty() : Optional.of(VetoCode.PARTITION_CLOSED.veto(name + "is closed"));
    }

    private static Optional<Veto> size(final JobSpec spec, final TargetCluster cluster) {
        final Resources all = cluster.capacity();
        final Resources needed = spec.resources();
        return needed.fitsInto(stated(all))
                ? Optional.empty()
                : Optional.of(VetoCode.EXCEEDS_CLUSTER.veto(
                        cluster.id() + ": has " + inWords(stated(all)) + ", " + inWords(needed) + " asked"));
    }

    private static Optional<Veto> room(final JobSpec spec, final TargetCluster cluster, final UnpromisedCores idle) {
        final RevisionClosed marker = marker(cluster);
        final Resources free = marker.free();
        final long memory_mib = marker.total().memoryMib() == 0 ? Long.MAX_VALUE : free.memoryMib();
        final Resources now = new Resources(idle.of(cluster), free.nodes(), memory_mib, free.gpus());
        return spec.resources().fitsInto(now)
                ? Optional.empty()
                : Optional.of(VetoCode.NO_IDLE_CORES.veto(
                        cluster.id() + ": " + inWords(now) + " idle, " + inWords(spec.resources()) + " asked"));
    }

    /** A cluster that does not state its memory is not asked about it. */
    private static Resources stated(final Resources all) {
        return all.memoryMib() == 0 ? new Resources(all.cores(), all.nodes(), Long.MAX_VALUE, all.gpus()) : all;
    }

    private static String inWords(final Resources r) {
        final StringBuilder words = new StringBuilder(r.cores() + " cores");
        if (r.memoryMib() > 0 && r.memoryMib() < Long.MAX_VALUE) {
            words.append(", ").append(r.memoryMib()).append(" MiB");
        }
        if (r.gpus() > 0) {
            words.append(", ").append(r.gpus()).append(" GPUs");
        }
        return words.toString();
    }

    private static String why(
            final JobSubmitted submission, final TargetCluster cluster, final UnpromisedCores idle, final List<Asked> asked) {
        if (isPinned(submission)) {
            return "its owner asked for " + cluster.id();
        }
        final StringBuilder why = new StringBuilder(cluster.id() + ": " + idle.of(cluster) + " idle cores suffice for "
                + submission.spec().resources().cores());
        asked.forEach(no -> no.veto().ifPresent(veto -> why.append("; ").append(veto.reason())));
        return why.toString();
    }

    private static PlacementDecision refusal(final JobSubmitted submission, final List<Asked> asked) {
        final List<Veto> vetoes = asked.stream().flatMap(a -> a.veto().stream()).toList();
        if (!vetoes.stream().allMatch(Veto::permanent)) {
            return new PlacementDecision.Wait(vetoes);
        }
        final String every = String.join("; ", vetoes.stream().map(Veto::reason).toList());
        if (vetoes.stream().noneMatch(VetoCode.EXCEEDS_CLUSTER::isOf)) {
            return new PlacementDecision.Reject("no cluster can run it as it stands: " + every);
        }
        final TargetCluster largest = asked.stream()
                .map(Asked::cluster)
                .max(Comparator.comparingInt(c -> c.capacity().cores()))
                .orElseThrow();
        return new PlacementDecision.Reject("no cluster can run it as it stands; the largest, " + largest.id() + ", has "
                + largest.capacity().cores() + " cores, "
                + submission.spec().resources().cores() + " asked: " + every);
    }

    private static RevisionClosed marker(final TargetCluster cluster) {
        return Objects.requireNonNull(cluster.marker(), "a cluster that is not silent has a revision");
    }
}
