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

/** One look at all waiting jobs, oldest first: what becomes known about each. */
final class Placements {

    /** @param vetoes what stands against each cluster; empty unless the job is delayed */
    record Placement(GlobalJob job, Fact fact, List<Veto> vetoes) {}

    private final Policy policy;
    private final Clusters clusters;
    private final TargetChoice targets;

    Placements(final Policy policy, final Clusters clusters, final CheapestRoom room) {
        this.policy = policy;
        this.clusters = clusters;
        this.targets = new TargetChoice(policy, clusters, room);
    }

    /** @param live all jobs that are not over, whose attempts hold promised cores */
    List<Placement> of(final Collection<GlobalJob> live, final List<GlobalJob> waiting, final Instant now) {
        final IdleCores idle = new IdleCores(live);
        final List<Placement> all = new ArrayList<>();
        for (final GlobalJob job : waiting) {
            all.add(place(job, idle, now));
        }
        return all;
    }

    private Placement place(final GlobalJob job, final IdleCores idle, final Instant now) {
        return switch (targets.choose(job, idle, now)) {
            case Choice.At at -> {
                idle.promise(
                        clusters.of(at.cluster()),
                        job.submission().spec().resources().cores());
                yield new Placement(
                        job, new Fact.Placed(at.cluster(), directory(job, at.cluster()), at.why()), List.of());
            }
            case Choice.NotNow no -> new Placement(job, new Fact.Delayed(summary(no.vetoes())), no.vetoes());
            case Choice.Never never -> new Placement(job, new Fact.Impossible(never.because()), List.of());
        };
    }

    /** Waiting jobs are looked at again when figures may be told anew, a cluster falls silent or one has waited long enough. */
    Optional<Instant> next(final List<GlobalJob> waiting, final Instant now) {
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        Optional<Instant> next = Optional.of(now.plus(policy.planInterval()));
        for (final Cluster cluster : clusters.all()) {
            next = Timers.earlier(next, cluster.silentFrom(policy, now));
        }
        for (final GlobalJob job : waiting) {
            next = Timers.earlier(
                    next, Optional.of(job.since().plus(policy.queueAfter())).filter(at -> at.isAfter(now)));
        }
        return next;
    }

    /** Which obstacle stands where, without the figures that change with every revision. */
    private static String summary(final List<Veto> vetoes) {
        return "no cluster can take it now: "
                + String.join(
                        ", ",
                        vetoes.stream()
                                .map(veto -> Plans.clusterOf(veto) + " (" + veto.code() + ")")
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
