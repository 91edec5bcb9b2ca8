package io.millrace.migration.domain.plan;

import static io.millrace.migration.domain.plan.VetoRule.ofJob;
import static io.millrace.migration.domain.plan.VetoRule.ofOwner;
import static io.millrace.migration.domain.plan.VetoRule.ofRequest;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.attempt.NoRoom;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.migration.domain.plan.Preference.Preferred;
import io.millrace.migration.domain.view.UnpromisedCapacity;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** @param promises how often something was promised before */
    private record Nothing(int promises, PlacementDecision.Wait answer) {}

    private final PlanView view;
    private final MigrationPolicy policy;
    private final Instant now;
    private final TargetClusters clusters;
    private final UnpromisedCapacity idle;
    private final Preference preference;
    private final InFlight inFlight;
    private final ClassRules classes;
    private final Vetoes vetoes;
    /** Requests that no cluster could start: they are not asked again until something is promised. */
    private final Map<RequestShape, Nothing> nothing = new HashMap<>();
    /** The order in which clusters are tried, by the source of the job. */
    private final Map<ClusterId, List<TargetCluster>> orders = new HashMap<>();

    TargetChoice(final PlanView view, final MigrationPolicy policy, final Instant now) {
        this.view = view;
        this.policy = policy;
        this.now = now;
        this.clusters = view.clusters();
        this.idle = new UnpromisedCapacity(view.placed());
        this.preference = new Preference(policy, idle, view.transfers());
        this.inFlight = new InFlight(policy.limits(), view.placed());
        this.classes = new ClassRules(policy, view.waiting(), view.table());
        this.vetoes = new Vetoes(rules(), idle::promises);
    }

    /** In this order: the first obstacle is the answer. */
    private List<VetoRule> rules() {
        return List.of(
                ofRequest((request, cluster) -> cluster.closure()),
                ofRequest((request, cluster) -> cluster.unavailability(policy, now)),
                ofRequest(TargetChoice::issuer),
                ofJob(TargetChoice::wasPlaced, (job, cluster) -> failedBefore(job, cluster.id())),
                ofJob(TargetChoice::wasPlaced, (job, cluster) -> foundNoRoom(job, cluster.id())),
                ofRequest(this::reach),
                ofOwner((owner, partition, cluster) -> cluster.marker() == null
                        ? Optional.empty()
                        : idle.of(cluster).eligibility(owner, partition)),
                ofRequest((request, cluster) -> idle.of(cluster).eligibility(request)),
                ofRequest((request, cluster) -> idle.of(cluster).diskVeto(request)),
                ofJob(job -> classes.isAwaited(job, now), (job, cluster) -> classes.awaited(job, cluster.id())),
                ofRequest((request, cluster) -> classes.veto(request, cluster.id())),
                ofJob(
                        inFlight::isOwnerAtLimit,
                        (job, cluster) -> inFlight.ofOwner(job.submission().owner(), cluster.id())),
                ofRequest((request, cluster) -> inFlight.ofLink(request.source(), cluster.id())),
                ofRequest((request, cluster) -> request.isPinned()
                        ? Optional.empty()
                        : idle.of(cluster).veto(request).or(() -> preference.delay(request, cluster, now))));
    }

    /** The idle capacity that is not promised. */
    UnpromisedCapacity idle() {
        return idle;
    }

    /** The job gets what it needs on the cluster; later answers count it. */
    void promise(final GlobalJob job, final ClusterId cluster) {
        idle.promise(job, clusters.of(cluster));
        inFlight.promise(job, cluster);
    }

    /** The answer of each cluster to a job that may be placed already. */
    Vetoes.Answers answers(final GlobalJob job) {
        return vetoes.of(
                job,
                RequestShape.of(
                        job.submission(), view.waiting().classOf(job.id()).orElse(null)));
    }

    PlacementDecision choose(final GlobalJob job) {
        return choose(job, answers(job));
    }

    /** @param request of the job */
    PlacementDecision choose(final GlobalJob job, final RequestShape request) {
        final Vetoes.Answers answers = vetoes.of(job, request);
        final boolean isCommon = !mayQueue(job) && !view.offers().exist(job.id()) && answers.isCommon(clusters.all());
        final Nothing known = nothing.get(request);
        if (isCommon && known != null && known.promises == idle.promises()) {
            return known.answer;
        }
        final PlacementDecision choice = choose(job, answers);
        if (isCommon && choice instanceof PlacementDecision.Wait wait) {
            nothing.put(request, new Nothing(idle.promises(), wait));
        }
        return choice;
    }

    /** Whether it has waited long enough to be submitted to the queue of a cluster. */
    private boolean mayQueue(final GlobalJob job) {
        return !job.since().plus(policy.queueAfter()).isAfter(now);
    }

    private static boolean wasPlaced(final GlobalJob job) {
        return !job.attempts().isEmpty();
    }

    private PlacementDecision choose(final GlobalJob job, final Vetoes.Answers answers) {
        final JobSubmitted submission = job.submission();
        final List<Candidate> tried = candidates(submission)
                .map(cluster -> new Candidate(cluster, answers.on(cluster)))
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
        if (mayQueue(job)) {
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
        return view.offers()
                .of(job.id(), possible)
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
                ? orders
                        .computeIfAbsent(
                                submission.source(), source -> clusters.inOrder(source, policy.performanceOrder()))
                        .stream()
                : own.stream().map(clusters::of);
    }

    /** S-1: vetoes a cluster that does not accept the issuer of the owner's token. */
    private static Optional<Veto> issuer(final RequestShape request, final TargetCluster cluster) {
        final SiteMappingObserved mapping = cluster.view().siteMapping();
        final ClusterId issuer = request.issuer();
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
    private Optional<Veto> foundNoRoom(final GlobalJob job, final ClusterId cluster) {
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
    private Optional<Veto> reach(final RequestShape request, final TargetCluster cluster) {
        if (cluster.id().equals(request.source())) {
            return Optional.empty();
        }
        final RevisionClosed marker = marker(cluster);
        if (marker.stagingRoot() == null || !marker.capabilities().contains(Capability.TRANSFER)) {
            return Optional.of(VetoCode.NO_INCOMING_JOBS.veto(
                    cluster.id() + ": accepts no jobs from other clusters (its agent has no transfer capability or no"
                            + " millrace.agent.staging-root)"));
        }
        final TargetCluster source = clusters.of(request.source());
        if (source.closure().filter(VetoCode.CLUSTER_FENCED::isOf).isPresent()) {
            return Optional.of(VetoCode.CLUSTER_FENCED.veto(
                    cluster.id() + ": the files of the job are on " + request.source() + ", which is fenced"));
        }
        final RevisionClosed home = source.marker();
        if (home == null) {
            return Optional.of(VetoCode.SOURCE_NOT_OBSERVED.veto(cluster.id() + ": the source cluster "
                    + request.source() + " has not been observed yet, so the" + " files cannot be fetched"));
        }
        if (!home.capabilities().contains(Capability.TRANSFER)) {
            return Optional.of(VetoCode.SOURCE_UNREACHABLE.veto(
                    cluster.id() + ": the agent of " + request.source() + " cannot fetch the results"));
        }
        return Optional.empty();
    }

    /** Why it was chosen, and what was decided about each other cluster. */
    private static String reason(
            final JobSubmitted submission, final Preferred preferred, final List<Candidate> tried) {
        final Candidate chosen = preferred.candidate();
        if (submission.target() != null) {
            return "its owner requested " + chosen.id();
        }
        final StringBuilder reason = new StringBuilder(preferred.reason() + preferred.figures());
        tried.stream()
                .filter(candidate -> !candidate.equals(chosen))
                .forEach(candidate -> reason.append("; ")
                        .append(candidate.veto().map(Veto::reason).orElse(candidate.id() + ": accepted")));
        return reason.toString();
    }

    /** @param preferred the cluster that the job waits for although another one could start it now, if there is one */
    private PlacementDecision refusal(
            final JobSubmitted submission, final List<Candidate> tried, final Optional<Preferred> preferred) {
        final List<Veto> vetoes = tried.stream()
                .map(candidate -> candidate.veto().orElseGet(() -> prefersOther(candidate, preferred.orElseThrow())))
                .toList();
        if (!vetoes.stream().allMatch(Veto::permanent)) {
            return PlacementDecision.Wait.of(vetoes);
        }
        final String every = String.join("; ", vetoes.stream().map(Veto::reason).toList());
        if (vetoes.stream().noneMatch(VetoCode.EXCEEDS_CLUSTER::isOf)) {
            return new PlacementDecision.Reject("no cluster can run it as requested: " + every);
        }
        final TargetCluster largest = tried.stream()
                .map(Candidate::cluster)
                .max(Comparator.comparingInt(c -> idle.of(c).capacity().cores()))
                .orElseThrow();
        return new PlacementDecision.Reject(
                "no cluster can run it as requested; the largest, " + largest.id() + ", has "
                        + idle.of(largest).capacity().cores() + " cores, "
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
