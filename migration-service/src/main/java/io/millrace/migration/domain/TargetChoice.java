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
 * Chooses the target of a waiting job: its source cluster if it has enough idle cores, else the first cluster in the performance order
 * that has (paper 1, section 2.2.2, step 2).
 *
 * <p>Beyond the paper: if no cluster has enough idle cores, a job goes where preemption for it loses least. A job pinned to a
 * cluster waits in the queue of that cluster. A job that has found no idle cores for {@link MigrationPolicy#queueAfter()} is submitted to
 * the first cluster that can ever run it, so that smaller jobs do not overtake a large one forever.
 */
final class TargetChoice {

    private record Candidate(TargetCluster cluster, Optional<Veto> veto) {
        boolean lacksOnlyIdleCores() {
            return veto.isPresent() && VetoCode.NO_IDLE_CORES.isOf(veto.get());
        }
    }

    private final MigrationPolicy policy;
    private final TargetClusters clusters;
    private final CheapestPlacement cheapest;

    TargetChoice(final MigrationPolicy policy, final TargetClusters clusters, final CheapestPlacement cheapest) {
        this.policy = policy;
        this.clusters = clusters;
        this.cheapest = cheapest;
    }

    PlacementDecision choose(final GlobalJob job, final UnpromisedCores idle, final Instant now) {
        final JobSubmitted submission = job.submission();
        final List<Candidate> tried = new ArrayList<>();
        for (final TargetCluster cluster : candidates(submission)) {
            final Optional<Veto> veto = veto(job, cluster, idle, now);
            if (veto.isEmpty()) {
                return new PlacementDecision.Place(cluster.id(), reason(submission, cluster, idle, tried));
            }
            tried.add(new Candidate(cluster, veto));
        }
        final Optional<PlacementDecision> byPreemption = cheapestPreemption(job, tried);
        if (byPreemption.isPresent()) {
            return byPreemption.get();
        }
        if (!job.since().plus(policy.queueAfter()).isAfter(now)) {
            final Optional<Candidate> queue =
                    tried.stream().filter(Candidate::lacksOnlyIdleCores).findFirst();
            if (queue.isPresent()) {
                return new PlacementDecision.Place(
                        queue.get().cluster().id(),
                        "no cluster has had idle cores for it for " + policy.queueAfter()
                                + "; it waits in the queue of "
                                + queue.get().cluster().id());
            }
        }
        return refusal(submission, tried);
    }

    /** a job within quota does not wait for idle cores if preemption can make room on some cluster. */
    private Optional<PlacementDecision> cheapestPreemption(final GlobalJob job, final List<Candidate> tried) {
        final List<ClusterId> possible = tried.stream()
                .filter(Candidate::lacksOnlyIdleCores)
                .map(one -> one.cluster().id())
                .toList();
        return cheapest.of(job.id(), possible)
                .map(offer -> new PlacementDecision.Place(
                        offer.cluster(),
                        "no cluster has enough idle cores, and preemption costs least on " + offer.cluster() + ": "
                                + offer.reason()));
    }

    private List<TargetCluster> candidates(final JobSubmitted submission) {
        return submission.target() != null
                ? List.of(clusters.of(submission.target()))
                : clusters.inOrder(submission.source(), policy.performanceOrder());
    }

    private Optional<Veto> veto(
            final GlobalJob job, final TargetCluster cluster, final UnpromisedCores idle, final Instant now) {
        final JobSubmitted submission = job.submission();
        return cluster.unavailability(policy, now)
                .or(() -> account(submission, cluster))
                .or(() -> failedBefore(job, cluster.id()))
                .or(() -> reach(submission, cluster))
                .or(() -> partition(submission.spec(), cluster))
                .or(() -> size(submission.spec(), cluster))
                .or(() -> isPinned(submission) ? Optional.empty() : idleCores(submission.spec(), cluster, idle));
    }

    private static boolean isPinned(final JobSubmitted submission) {
        return submission.target() != null;
    }

    /** Vetoes a cluster on which the owner has no account. */
    private static Optional<Veto> account(final JobSubmitted submission, final TargetCluster cluster) {
        final SiteMappingObserved mapping = cluster.view().siteMapping();
        return mapping == null || mapping.knows(submission.owner())
                ? Optional.empty()
                : Optional.of(VetoCode.NO_ACCOUNT.veto(cluster.id() + ": user '" + submission.owner()
                        + "' has no account on this cluster; an operator can add one to the agent's site mapping"));
    }

    private static Optional<Veto> failedBefore(final GlobalJob job, final ClusterId cluster) {
        return job.attempts().stream()
                .filter(attempt -> attempt.cluster().equals(cluster))
                .max(Comparator.comparingInt(Attempt::number))
                .map(attempt ->
                        VetoCode.ATTEMPT_FAILED.veto(cluster + ": attempt " + attempt.number() + " failed there"));
    }

    /** Vetoes a cluster to which, or from which, files cannot be transferred. */
    private Optional<Veto> reach(final JobSubmitted submission, final TargetCluster cluster) {
        if (cluster.id().equals(submission.source())) {
            return Optional.empty();
        }
        final RevisionClosed marker = marker(cluster);
        if (marker.stagingRoot() == null || !marker.capabilities().contains(Capability.TRANSFER)) {
            return Optional.of(VetoCode.NO_INCOMING_JOBS.veto(
                    cluster.id() + ": accepts no jobs from other clusters (its agent has no transfer capability or no"
                            + " millrace.agent.staging-root)"));
        }
        final RevisionClosed home = clusters.of(submission.source()).marker();
        if (home == null) {
            return Optional.of(VetoCode.SOURCE_NOT_OBSERVED.veto(cluster.id() + ": the source cluster "
                    + submission.source() + " has not been observed yet, so the" + " files cannot be fetched"));
        }
        if (!home.capabilities().contains(Capability.TRANSFER)) {
            return Optional.of(VetoCode.SOURCE_UNREACHABLE.veto(
                    cluster.id() + ": the agent of " + submission.source() + " cannot fetch the results"));
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
                    name + "ends jobs after " + partition.walltimeLimit() + ", " + spec.walltime() + " requested"));
        }
        if (spec.resources().cores() > partition.cores()) {
            return Optional.of(VetoCode.EXCEEDS_CLUSTER.veto(name + "has " + partition.cores() + " cores, "
                    + spec.resources().cores() + " requested"));
        }
        return partition.open() ? Optional.empty() : Optional.of(VetoCode.PARTITION_CLOSED.veto(name + "is closed"));
    }

    private static Optional<Veto> size(final JobSpec spec, final TargetCluster cluster) {
        final Resources all = cluster.capacity();
        final Resources needed = spec.resources();
        return needed.fitsInto(stated(all))
                ? Optional.empty()
                : Optional.of(VetoCode.EXCEEDS_CLUSTER.veto(
                        cluster.id() + ": has " + text(stated(all)) + ", " + text(needed) + " requested"));
    }

    private static Optional<Veto> idleCores(
            final JobSpec spec, final TargetCluster cluster, final UnpromisedCores idle) {
        final RevisionClosed marker = marker(cluster);
        final Resources free = marker.free();
        final long memoryMib = marker.total().memoryMib() == 0 ? Long.MAX_VALUE : free.memoryMib();
        final Resources now = new Resources(idle.of(cluster), free.nodes(), memoryMib, free.gpus());
        return spec.resources().fitsInto(now)
                ? Optional.empty()
                : Optional.of(VetoCode.NO_IDLE_CORES.veto(
                        cluster.id() + ": " + text(now) + " idle, " + text(spec.resources()) + " requested"));
    }

    /** A cluster that does not report its memory is not limited by it. */
    private static Resources stated(final Resources all) {
        return all.memoryMib() == 0 ? new Resources(all.cores(), all.nodes(), Long.MAX_VALUE, all.gpus()) : all;
    }

    private static String text(final Resources r) {
        final StringBuilder text = new StringBuilder(r.cores() + " cores");
        if (r.memoryMib() > 0 && r.memoryMib() < Long.MAX_VALUE) {
            text.append(", ").append(r.memoryMib()).append(" MiB");
        }
        if (r.gpus() > 0) {
            text.append(", ").append(r.gpus()).append(" GPUs");
        }
        return text.toString();
    }

    private static String reason(
            final JobSubmitted submission,
            final TargetCluster cluster,
            final UnpromisedCores idle,
            final List<Candidate> tried) {
        if (isPinned(submission)) {
            return "its owner requested " + cluster.id();
        }
        final StringBuilder reason = new StringBuilder(cluster.id() + ": " + idle.of(cluster)
                + " idle cores are enough for " + submission.spec().resources().cores());
        tried.forEach(candidate ->
                candidate.veto().ifPresent(veto -> reason.append("; ").append(veto.reason())));
        return reason.toString();
    }

    private static PlacementDecision refusal(final JobSubmitted submission, final List<Candidate> tried) {
        final List<Veto> vetoes = tried.stream().flatMap(a -> a.veto().stream()).toList();
        if (!vetoes.stream().allMatch(Veto::permanent)) {
            return new PlacementDecision.Wait(vetoes);
        }
        final String every = String.join("; ", vetoes.stream().map(Veto::reason).toList());
        if (vetoes.stream().noneMatch(VetoCode.EXCEEDS_CLUSTER::isOf)) {
            return new PlacementDecision.Reject("no cluster can run it as requested: " + every);
        }
        final TargetCluster largest = tried.stream()
                .map(Candidate::cluster)
                .max(Comparator.comparingInt(c -> c.capacity().cores()))
                .orElseThrow();
        return new PlacementDecision.Reject(
                "no cluster can run it as requested; the largest, " + largest.id() + ", has "
                        + largest.capacity().cores() + " cores, "
                        + submission.spec().resources().cores() + " requested: " + every);
    }

    private static RevisionClosed marker(final TargetCluster cluster) {
        return Objects.requireNonNull(cluster.marker(), "an available cluster has a revision");
    }
}
