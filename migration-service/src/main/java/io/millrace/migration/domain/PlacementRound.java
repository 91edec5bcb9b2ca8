package io.millrace.migration.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSubmitted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** One round over all waiting jobs, oldest first: the placement decision of each. */
public final class PlacementRound {

    /** @param vetoes the obstacle on each cluster; empty unless the job is delayed */
    public record Placement(GlobalJob job, JobFact fact, List<Veto> vetoes) {}

    private final MigrationPolicy policy;
    private final TargetClusters clusters;
    private final TargetChoice targets;

    public PlacementRound(final MigrationPolicy policy, final TargetClusters clusters, final CheapestPlacement room) {
        this.policy = policy;
        this.clusters = clusters;
        this.targets = new TargetChoice(policy, clusters, room);
    }

    /** @param live all jobs that have not ended; their attempts hold promised cores */
    public List<Placement> of(final Collection<GlobalJob> live, final List<GlobalJob> waiting, final Instant now) {
        final UnpromisedCores idle = new UnpromisedCores(live);
        final List<Placement> all = new ArrayList<>();
        for (final GlobalJob job : waiting) {
            all.add(place(job, idle, now));
        }
        return all;
    }

    private Placement place(final GlobalJob job, final UnpromisedCores idle, final Instant now) {
        return switch (targets.choose(job, idle, now)) {
            case PlacementDecision.Place at -> {
                idle.promise(
                        clusters.of(at.cluster()),
                        job.submission().spec().resources().cores());
                yield new Placement(
                        job, new JobFact.Placed(at.cluster(), directory(job, at.cluster()), at.reason()), List.of());
            }
            case PlacementDecision.Wait no ->
                new Placement(job, new JobFact.Delayed(summary(no.vetoes())), no.vetoes());
            case PlacementDecision.Reject never ->
                new Placement(job, new JobFact.Impossible(never.reason()), List.of());
        };
    }

    /** The next round is due when the plan interval has passed, a cluster becomes unavailable, or a job has waited long enough to queue. */
    public Optional<Instant> next(final List<GlobalJob> waiting, final Instant now) {
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        Optional<Instant> next = Optional.of(now.plus(policy.planInterval()));
        for (final TargetCluster cluster : clusters.all()) {
            next = Timers.earlier(next, cluster.silentAt(policy, now));
        }
        for (final GlobalJob job : waiting) {
            next = Timers.earlier(
                    next, Optional.of(job.since().plus(policy.queueAfter())).filter(at -> at.isAfter(now)));
        }
        return next;
    }

    /** The obstacle on each cluster, without the figures, which change with every revision. */
    private static String summary(final List<Veto> vetoes) {
        return "no cluster can run it now: "
                + String.join(
                        ", ",
                        vetoes.stream()
                                .map(veto -> PublishedPlans.clusterOf(veto) + " (" + veto.code() + ")")
                                .toList());
    }

    private String directory(final GlobalJob job, final ClusterId cluster) {
        final JobSubmitted submission = job.submission();
        if (cluster.equals(submission.source())) {
            return submission.directory();
        }
        final String root = Objects.requireNonNull(
                Objects.requireNonNull(clusters.of(cluster).marker()).stagingRoot());
        final AttemptId attempt = job.id().attempt(job.attempts().size() + 1);
        return (root.endsWith("/") ? root : root + "/") + submission.owner() + "/" + attempt;
    }
}
