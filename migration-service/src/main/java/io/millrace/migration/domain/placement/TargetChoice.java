package io.millrace.migration.domain.placement;

import io.millrace.decide.JobEligibility;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.attempt.NoRoom;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.placement.Preference.Preferred;
import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSubmitted;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses the target of a waiting job: its source cluster if it can start it now, else the one that the {@link Preference} of the site
 * names (paper 1, section 2.2.2, step 2: the first in the performance order that has enough idle cores).
 *
 * <p>Beyond the paper: if no cluster has enough idle cores, a job goes where preemption for it loses least. A job pinned to a
 * cluster waits in the queue of that cluster. A job that has not been placed for {@link MigrationPolicy#queueAfter()} is submitted to the
 * preferred cluster, or to the first that can ever run it, so that smaller jobs do not overtake a large one forever.
 */
final class TargetChoice {

    /** How long a cluster on which the files of a job found no room does not get the job again. */
    private static final Duration NO_ROOM = Duration.ofMinutes(10);

    private final MigrationPolicy policy;
    private final TargetClusters clusters;
    private final UnpromisedCapacity idle;
    private final Preference preference;
    private final CheapestPlacement cheapest;
    private final InFlight inFlight;
    private final ClassRules classes;

    TargetChoice(
            final MigrationPolicy policy,
            final TargetClusters clusters,
            final UnpromisedCapacity idle,
            final Preference preference,
            final CheapestPlacement cheapest,
            final InFlight inFlight,
            final ClassRules classes) {
        this.policy = policy;
        this.clusters = clusters;
        this.idle = idle;
        this.preference = preference;
        this.cheapest = cheapest;
        this.inFlight = inFlight;
        this.classes = classes;
    }

    PlacementDecision choose(final GlobalJob job, final Instant now) {
        final JobSubmitted submission = job.submission();
        final List<Candidate> tried = candidates(submission)
                .map(cluster -> new Candidate(cluster, veto(job, cluster, now)))
                .toList();
        final Optional<Preferred> preferred = preference.of(job, tried, now);
        if (preferred.isPresent() && preferred.get().candidate().isAccepted()) {
            return new PlacementDecision.Place(
                    preferred.get().candidate().id(), reason(submission, preferred.get(), tried));
        }
        if (tried.stream().noneMatch(candidate -> candidate.isAccepted() || candidate.awaitsClass())) {
            final Optional<PlacementDecision> byPreemption = cheapestPreemption(job, tried);
            if (byPreemption.isPresent()) {
                return byPreemption.get();
            }
        }
        if (!job.since().plus(policy.queueAfter()).isAfter(now)) {
            final Optional<Candidate> queue = preferred
                    .map(Preferred::candidate)
                    .or(() -> tried.stream()
                            .filter(Candidate::lacksOnlyIdleResources)
                            .findFirst());
            if (queue.isPresent()) {
                return new PlacementDecision.Place(
                        queue.get().id(),
                        "not placed for " + policy.queueAfter() + "; it waits in the queue of "
                                + queue.get().id());
            }
        }
        return refusal(submission, tried, preferred);
    }

    /**
     * a job within quota does not wait for idle cores if preemption can make room on some cluster. It does wait for its class, which may
     * allow a cluster that is idle.
     */
    private Optional<PlacementDecision> cheapestPreemption(final GlobalJob job, final List<Candidate> tried) {
        final List<ClusterId> possible = tried.stream()
                .filter(Candidate::lacksOnlyIdleResources)
                .map(Candidate::id)
                .toList();
        return cheapest.of(job.id(), possible)
                .map(offer -> new PlacementDecision.Place(
                        offer.cluster(),
                        "no cluster has enough idle cores, and preemption costs least on " + offer.cluster() + ": "
                                + offer.reason()));
    }

    private Stream<TargetCluster> candidates(final JobSubmitted submission) {
        if (submission.target() != null) {
            return Stream.of(clusters.of(submission.target()));
        }
        final List<ClusterId> own = submission.requested().clusters();
        return own.isEmpty()
                ? clusters.inOrder(submission.source(), policy.performanceOrder()).stream()
                : own.stream().map(clusters::of);
    }

    /** Why the cluster cannot start the job now; empty if it can. */
    Optional<Veto> veto(final GlobalJob job, final TargetCluster cluster, final Instant now) {
        final JobSubmitted submission = job.submission();
        return cluster.closure()
                .or(() -> cluster.unavailability(policy, now))
                .or(() -> issuer(submission, cluster))
                .or(() -> failedBefore(job, cluster.id()))
                .or(() -> foundNoRoom(job, cluster.id(), now))
                .or(() -> reach(submission, cluster))
                .or(() -> eligible(submission, cluster))
                .or(() -> idle.of(cluster).diskVeto(submission))
                .or(() -> classes.veto(job, cluster.id(), now))
                .or(() -> inFlight.veto(job, cluster.id()))
                .or(() -> isPinned(submission)
                        ? Optional.empty()
                        : idle.of(cluster).veto(submission).or(() -> preference.delay(submission, cluster, now)));
    }

    private static boolean isPinned(final JobSubmitted submission) {
        return submission.target() != null;
    }

    /** S-1: vetoes a cluster that does not accept the issuer of the owner's token. */
    private static Optional<Veto> issuer(final JobSubmitted submission, final TargetCluster cluster) {
        final SiteMappingObserved mapping = cluster.view().siteMapping();
        final ClusterId issuer = submission.issuer();
        return Objects.requireNonNullElseGet(mapping, () -> SiteMappingObserved.none(cluster.id()))
                        .accepts(issuer)
                ? Optional.empty()
                : Optional.of(
                        VetoCode.ISSUER_NOT_ACCEPTED.veto(cluster.id() + ": accepts no jobs of users who logged in"
                                + " on '" + issuer + "'; an operator can add it to millrace.agent.accepted-issuers"));
    }

    private static Optional<Veto> failedBefore(final GlobalJob job, final ClusterId cluster) {
        return job.attempts().stream()
                .filter(attempt -> attempt.cluster().equals(cluster)
                        && (attempt.end() == null || attempt.hasEnded(AttemptEnd.Cause.FAILED)))
                .max(Comparator.comparingInt(Attempt::number))
                .map(attempt ->
                        VetoCode.ATTEMPT_FAILED.veto(cluster + ": attempt " + attempt.number() + " failed there"));
    }

    /** Vetoes a cluster on which the files of the job found no room a short time ago. */
    private static Optional<Veto> foundNoRoom(final GlobalJob job, final ClusterId cluster, final Instant now) {
        Optional<Veto> veto = Optional.empty();
        for (final Attempt attempt : job.attempts()) {
            final AttemptEnd end = attempt.end();
            if (attempt.cluster().equals(cluster)
                    && end != null
                    && end.cause().isNoRoom()
                    && attempt.endedAt() != null
                    && attempt.endedAt().plus(NO_ROOM).isAfter(now)) {
                veto = Optional.of(NoRoom.code(end)
                        .veto(cluster + ": attempt " + attempt.number() + " found no room there; the cluster is"
                                + " considered again at " + attempt.endedAt().plus(NO_ROOM) + ": " + end.reason()));
            }
        }
        return veto;
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
        final TargetCluster source = clusters.of(submission.source());
        if (source.closure().filter(VetoCode.CLUSTER_FENCED::isOf).isPresent()) {
            return Optional.of(VetoCode.CLUSTER_FENCED.veto(
                    cluster.id() + ": the files of the job are on " + submission.source() + ", which is fenced"));
        }
        final RevisionClosed home = source.marker();
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

    private static Optional<Veto> eligible(final JobSubmitted job, final TargetCluster cluster) {
        return cluster.eligibility()
                .veto(JobEligibility.Request.of(job.owner(), job.spec(), job.requested()))
                .map(veto -> cluster.named(veto));
    }

    /** Why it was chosen, and what was decided about each other cluster. */
    private static String reason(
            final JobSubmitted submission, final Preferred preferred, final List<Candidate> tried) {
        final Candidate chosen = preferred.candidate();
        if (isPinned(submission)) {
            return "its owner requested " + chosen.id();
        }
        final StringBuilder reason = new StringBuilder(preferred.reason() + preferred.figures());
        tried.stream().filter(candidate -> !candidate.equals(chosen)).forEach(candidate -> reason.append("; ")
                .append(candidate.veto().map(Veto::reason).orElse(candidate.id() + ": accepted")));
        return reason.toString();
    }

    /** @param preferred the cluster that the job waits for although another one could start it now, if there is one */
    private static PlacementDecision refusal(
            final JobSubmitted submission, final List<Candidate> tried, final Optional<Preferred> preferred) {
        final List<Veto> vetoes = tried.stream()
                .map(candidate -> candidate.veto().orElseGet(() -> prefersOther(candidate, preferred.orElseThrow())))
                .toList();
        if (!vetoes.stream().allMatch(Veto::permanent)) {
            return new PlacementDecision.Wait(vetoes);
        }
        final String every = String.join("; ", vetoes.stream().map(Veto::reason).toList());
        if (vetoes.stream().noneMatch(VetoCode.EXCEEDS_CLUSTER::isOf)) {
            return new PlacementDecision.Reject("no cluster can run it as requested: " + every);
        }
        final TargetCluster largest = tried.stream()
                .map(Candidate::cluster)
                .max(Comparator.comparingInt(c -> c.eligibility().capacity().cores()))
                .orElseThrow();
        return new PlacementDecision.Reject(
                "no cluster can run it as requested; the largest, " + largest.id() + ", has "
                        + largest.eligibility().capacity().cores() + " cores, "
                        + submission.spec().resources().cores() + " requested: " + every);
    }

    private static Veto prefersOther(final Candidate accepted, final Preferred preferred) {
        return VetoCode.PREFERS_OTHER_CLUSTER.veto(
                accepted.id() + ": could start it now, but it waits for " + preferred.reason());
    }

    private static RevisionClosed marker(final TargetCluster cluster) {
        return Objects.requireNonNull(cluster.marker(), "an available cluster has a revision");
    }
}
