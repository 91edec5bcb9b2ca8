package io.millrace.migration.domain.plan;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.Timers;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.migration.domain.job.WaitingGroup;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSubmitted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * One pass over the waiting jobs, oldest first. It is made for one decision and thrown away: what it promises is in the view as soon as its
 * decisions are applied.
 */
public class PlacementPass {

    /** The turn of a group: of its oldest job that is not placed yet. */
    private record Turn(WaitingGroup group, Iterator<GlobalJobId> others, GlobalJobId job, GlobalJobId place) {}

    private static final Comparator<Turn> ORDER =
            Comparator.comparing(Turn::place).thenComparing(Turn::job);

    private final PlanView view;
    private final MigrationPolicy policy;
    private final Instant now;
    private final TargetChoice targets;

    public PlacementPass(final PlanView view, final MigrationPolicy policy, final Instant now) {
        this.view = view;
        this.policy = policy;
        this.now = now;
        this.targets = new TargetChoice(view, policy, now);
    }

    PlanView view() {
        return view;
    }

    TargetChoice targets() {
        return targets;
    }

    /** Which jobs are placed, and why the others wait. A group goes on as long as its oldest job is placed. */
    public PlacementPlan plan() {
        final PriorityQueue<Turn> turns = new PriorityQueue<>(ORDER);
        view.waiting().groups().forEach(group -> add(turns, group, group.jobs().iterator()));
        final List<JobPlacement> placements = new ArrayList<>();
        final Map<WaitingGroup, List<Veto>> blocked = new LinkedHashMap<>();
        Instant again = Instant.MAX;
        for (Turn turn = turns.poll(); turn != null; turn = turns.poll()) {
            final GlobalJob job = view.waiting().job(turn.job);
            switch (choose(job, turn.group.shape())) {
                case PlacementDecision.Place at -> placements.add(place(job, at));
                case PlacementDecision.Reject never ->
                    placements.add(new JobPlacement(job, new JobFact.Impossible(never.reason())));
                case PlacementDecision.Wait wait -> {
                    blocked.put(turn.group, wait.vetoes());
                    again = earlier(again, again(job, wait));
                    continue;
                }
            }
            add(turns, turn.group, turn.others);
        }
        final Optional<Instant> next = again.equals(Instant.MAX) ? Optional.empty() : Optional.of(again);
        return new PlacementPlan(placements, blocked, blocked.isEmpty() ? next : Timers.earlier(next, silence()));
    }

    PlacementDecision choose(final GlobalJob job, final RequestShape request) {
        return targets.choose(job, request);
    }

    private void add(final PriorityQueue<Turn> turns, final WaitingGroup group, final Iterator<GlobalJobId> jobs) {
        if (jobs.hasNext()) {
            final GlobalJobId job = jobs.next();
            turns.add(new Turn(group, jobs, job, view.waiting().place(job)));
        }
    }

    /** When time alone changes the answer: its class is not awaited any longer, it may queue, or a prediction is made again. */
    private Instant again(final GlobalJob job, final PlacementDecision.Wait wait) {
        final Instant queueAt = job.since().plus(policy.queueAfter());
        Instant again = queueAt.isAfter(now) ? queueAt : Instant.MAX;
        if (wait.awaitsClass()) {
            again = earlier(again, job.since().plus(ClassRules.WAIT_FOR_CLASS));
        }
        return wait.hesitates() ? earlier(again, now.plus(policy.planInterval())) : again;
    }

    private static Instant earlier(final Instant one, final Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** When the next cluster becomes unavailable. */
    private Optional<Instant> silence() {
        Optional<Instant> next = Optional.empty();
        for (final TargetCluster cluster : view.clusters().all()) {
            next = Timers.earlier(next, cluster.silentAt(policy, now));
        }
        return next;
    }

    /** Another cluster for a placed job, with what it takes promised to it; empty if no cluster accepts it. */
    public Optional<JobPlacement> elsewhere(final GlobalJob job) {
        return targets.choose(job) instanceof PlacementDecision.Place at
                ? Optional.of(place(job, at))
                : Optional.empty();
    }

    JobPlacement place(final GlobalJob job, final PlacementDecision.Place at) {
        final PartitionName partition =
                targets.idle().partition(job, view.clusters().of(at.cluster()));
        targets.promise(job, at.cluster());
        return new JobPlacement(
                job, new JobFact.Placed(at.cluster(), partition, directory(job, at.cluster()), at.reason()));
    }

    private String directory(final GlobalJob job, final ClusterId cluster) {
        final JobSubmitted submission = job.submission();
        if (cluster.equals(submission.source())) {
            return submission.directory();
        }
        final String root = Objects.requireNonNull(
                Objects.requireNonNull(view.clusters().of(cluster).marker()).stagingRoot());
        final AttemptId attempt = job.id().attempt(job.attempts().size() + 1);
        return Authorization.stagingDirectory(root, submission.owner(), attempt);
    }
}
