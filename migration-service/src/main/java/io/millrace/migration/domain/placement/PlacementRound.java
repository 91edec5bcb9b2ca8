package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.Timers;
import io.millrace.migration.domain.attempt.TransferTimes;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.migration.domain.job.PlacedJobs;
import io.millrace.migration.domain.job.WaitingGroup;
import io.millrace.migration.domain.job.WaitingJobs;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.PlacementTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One round over the waiting jobs, oldest first: the placement decision of each. It costs what has changed, not what waits: jobs are asked
 * by {@link WaitingGroup}, blocked groups by {@link Lane}.
 *
 * <p>A lane is asked when a cluster that changed answers its first group differently; the groups behind follow while they get something.
 * A single group is asked when it is new, when its first job has waited long enough to queue, when the structure of a cluster changed and
 * that cluster answers it differently, and after {@link WaitingJobs#reconsider}. Everything else keeps its answer, and nothing is
 * published for it. The decisions are those of asking every group in every round ({@code IncrementalPlacementTest}).
 *
 * <p>A new veto goes into {@link TargetChoice#veto}. Its inputs determine which groups are evaluated again:
 *
 * <ul>
 *   <li>a property of the job: add it to {@link io.millrace.migration.domain.job.RequestShape}
 *   <li>what is idle or promised on the cluster, and the attempts there: nothing to do, {@link ClusterChanges} counts it
 *   <li>how many jobs of the owner are in flight: see {@link PlacedJobs#takeOwners()}
 *   <li>what the cluster is, offers or allows: count it in {@link TargetCluster#structure()}
 *   <li>anything else: call {@link WaitingJobs#reconsider} for the jobs concerned
 * </ul>
 *
 * Its reason states no figure that may change while the veto stays the same; its code joins the codes shared by all owners in
 * {@link BlockedGroups} only if the owner does not matter.
 */
public final class PlacementRound {

    /** The number of jobs of a group, oldest first, whose reason is the obstacle on each cluster; the others wait behind these. */
    static final int EXPLAINED = 10;

    /** The number of jobs that get a reason in one round; the others follow in the next, at once. Placements do not wait for them. */
    private static final int EXPLANATIONS = 500;

    private static final String NO_IDLE_CORES = VetoCode.NO_IDLE_CORES.code();
    private static final String PREFERS_OTHER = VetoCode.PREFERS_OTHER_CLUSTER.code();

    private static final List<Veto> BEHIND = List.of(VetoCode.BEHIND_OLDER_JOBS.veto(
            "older jobs of its owner that request the same wait as well; their obstacles apply to it too"));

    /** @param vetoes the obstacle on each cluster; empty unless the job is delayed */
    public record Placement(GlobalJob job, JobFact fact, List<Veto> vetoes) {}

    private final MigrationPolicy policy;
    private final TargetClusters clusters;
    private final PlacedJobs placed;
    private final WaitingJobs waiting;
    private final UnpromisedCapacity idle;
    private final InFlight inFlight;
    private final ClassRules classes;
    private final TargetChoice targets;
    private final ClusterChanges changes;
    private final BlockedGroups blocked;
    /** Groups that were not asked yet. */
    private final Set<WaitingGroup> unanswered;

    /** @param placed their attempts hold promised capacity */
    public PlacementRound(
            final MigrationPolicy policy,
            final TargetClusters clusters,
            final PlacedJobs placed,
            final WaitingJobs waiting,
            final TransferTimes transfers,
            final CheapestPlacement room) {
        this.policy = policy;
        this.clusters = clusters;
        this.placed = placed;
        this.waiting = waiting;
        this.idle = new UnpromisedCapacity(placed);
        this.classes = new ClassRules(policy, waiting);
        this.inFlight = new InFlight(policy.limits(), placed);
        this.targets = new TargetChoice(
                policy, clusters, idle, new Preference(policy, idle, transfers), room, inFlight, classes);
        this.changes = new ClusterChanges(policy, clusters, placed);
        this.blocked = new BlockedGroups(policy, waiting);
        this.unanswered = new LinkedHashSet<>(waiting.groups());
    }

    /** The moves of waiting attempts on the same capacity. */
    public Rescheduling rescheduling(final TransferTimes transfers) {
        return new Rescheduling(policy, clusters, placed, idle, targets, transfers);
    }

    /** Uses another table of classes and clusters from the next round on. */
    public void use(final PlacementTable table) {
        if (classes.use(table)) {
            changes.forget();
        }
    }

    /** The jobs that are placed, or that no cluster can ever run. Apply them before the next call. */
    public List<Placement> of(final Instant now) {
        inFlight.beginRound();
        final ClusterChanges.Changed changed = changes.take(now);
        final PlacementTurns turns = turns(changed, now);
        final List<Placement> all = new ArrayList<>();
        for (PlacementTurns.Turn turn = turns.poll(); turn != null; turn = turns.poll()) {
            final BlockedGroup before = blocked.of(turn.group());
            final BlockedGroup due = before != null && isDue(before.lane(), changed, now) ? before : null;
            if (due == null && !turn.isAsked() && !mayQueue(turns.job(turn), now)) {
                continue;
            }
            final WaitingGroup next = due != null && turn.follow() ? due.next() : null;
            final boolean differs = decide(turn, turns, all, now);
            if (next != null && differs) {
                turns.add(next);
            }
        }
        return all;
    }

    /** The groups to ask, and the first group of each lane to ask. */
    private PlacementTurns turns(final ClusterChanges.Changed changed, final Instant now) {
        final PlacementTurns turns = new PlacementTurns(waiting);
        followJobs();
        final List<UserName> owners = placed.takeOwners();
        if (policy.limits().perUser() != null) {
            owners.forEach(waiting::reconsider);
        }
        unanswered.forEach(turns::ask);
        unanswered.clear();
        waiting.takeReconsidered().stream().filter(group -> !group.isEmpty()).forEach(turns::ask);
        blocked.takeDue(now).forEach(turns::ask);
        if (!changed.structure().isEmpty()) {
            blocked.all().stream()
                    .filter(group -> isAffected(group, changed.structure(), now))
                    .map(BlockedGroup::group)
                    .forEach(turns::ask);
        }
        blocked.hesitating().stream().map(Lane::first).forEach(turns::add);
        for (final ClusterId cluster : changed.idle()) {
            final int cores = policy.limits().areSet() ? Integer.MAX_VALUE : idleCores(cluster);
            for (final Lane lane : blocked.watching(cluster, cores)) {
                if (answersDifferently(lane, waiting.job(lane.first().first()), cluster, now)) {
                    turns.add(lane.first());
                }
            }
        }
        return turns;
    }

    /** Takes over which jobs wait. */
    private void followJobs() {
        for (final WaitingGroup group : waiting.takeChanged()) {
            if (group.isEmpty()) {
                blocked.remove(group);
                unanswered.remove(group);
            } else if (blocked.of(group) == null) {
                unanswered.add(group);
            } else {
                blocked.moved(group);
            }
        }
    }

    /** Whether the groups of the lane may get another answer. What jobs took in this round counts, so it may become false. */
    private boolean isDue(final Lane lane, final ClusterChanges.Changed changed, final Instant now) {
        if (blocked.hesitating().contains(lane)) {
            return true;
        }
        final GlobalJob first = waiting.job(lane.first().first());
        for (final ClusterId cluster : changed.idle()) {
            if (isCandidate(lane, cluster)
                    && !isStillBusy(lane, cluster)
                    && answersDifferently(lane, first, cluster, now)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCandidate(final Lane lane, final ClusterId cluster) {
        return lane.shape().target() == null
                ? lane.shape().request().allows(cluster)
                : lane.shape().target().equals(cluster);
    }

    /** Whether the cluster, available before and now, has too few cores as before: then nothing else is compared. */
    private boolean isStillBusy(final Lane lane, final ClusterId cluster) {
        return !policy.limits().areSet()
                && NO_IDLE_CORES.equals(lane.codes().get(cluster))
                && changes.isAvailable(cluster)
                && idleCores(cluster) < lane.shape().resources().cores();
    }

    private int idleCores(final ClusterId cluster) {
        return changes.isAvailable(cluster) ? idle.of(clusters.of(cluster)).cores() : 0;
    }

    private boolean answersDifferently(
            final Lane lane, final GlobalJob job, final ClusterId cluster, final Instant now) {
        final String before = lane.codes().get(cluster);
        return targets.veto(job, clusters.of(cluster), now)
                .map(veto -> !Lane.answer(veto).equals(before))
                .orElse(!PREFERS_OTHER.equals(before));
    }

    /** Whether a cluster that became another one answers the group differently, or is the source of its files. */
    private boolean isAffected(final BlockedGroup group, final Set<ClusterId> structure, final Instant now) {
        final Lane lane = group.lane();
        final GlobalJob first = waiting.job(group.group().first());
        return structure.stream()
                .anyMatch(cluster -> cluster.equals(lane.shape().source())
                        || isCandidate(lane, cluster) && answersDifferently(lane, first, cluster, now));
    }

    private boolean mayQueue(final GlobalJob job, final Instant now) {
        return !job.since().plus(policy.queueAfter()).isAfter(now);
    }

    /** Returns false if the job waits with the answer that its group had. */
    private boolean decide(
            final PlacementTurns.Turn turn, final PlacementTurns turns, final List<Placement> all, final Instant now) {
        final GlobalJob job = turns.job(turn);
        switch (targets.choose(job, now)) {
            case PlacementDecision.Place at -> all.add(place(job, at));
            case PlacementDecision.Reject never ->
                all.add(new Placement(job, new JobFact.Impossible(never.reason()), List.of()));
            case PlacementDecision.Wait no -> {
                return blocked.block(turn.group(), job.id(), no.vetoes(), now);
            }
        }
        turns.proceed(turn);
        return true;
    }

    /** Another cluster for a placed job, with what it takes promised to it; empty if no cluster accepts it. Apply it before the next call. */
    public Optional<Placement> elsewhere(final GlobalJob job, final Instant now) {
        return targets.choose(job, now) instanceof PlacementDecision.Place at
                ? Optional.of(place(job, at))
                : Optional.empty();
    }

    private Placement place(final GlobalJob job, final PlacementDecision.Place at) {
        idle.of(clusters.of(at.cluster())).promise(job.submission());
        inFlight.promise(job, at.cluster());
        return new Placement(
                job, new JobFact.Placed(at.cluster(), directory(job, at.cluster()), at.reason()), List.of());
    }

    /** The reasons of jobs that have not got one yet; a bounded number. */
    public List<Placement> explanations() {
        followJobs();
        final List<Placement> all = new ArrayList<>();
        while (all.size() < EXPLANATIONS && !blocked.isExplained()) {
            all.addAll(explain(Objects.requireNonNull(blocked.takeUnexplained())));
        }
        return all;
    }

    private List<Placement> explain(final BlockedGroup group) {
        final List<Placement> all = new ArrayList<>();
        final Set<GlobalJobId> oldest = new LinkedHashSet<>();
        for (final GlobalJobId job : group.group().jobs()) {
            if (oldest.size() == EXPLAINED) {
                break;
            }
            oldest.add(job);
            if (!group.told().contains(job)) {
                all.add(new Placement(
                        waiting.job(job), group.lane().delayed(), group.lane().vetoes()));
            }
        }
        blocked.told(group, oldest);
        group.group().takeNewcomers().stream()
                .filter(job -> !oldest.contains(job))
                .map(job -> new Placement(
                        waiting.job(job), new JobFact.Delayed(BEHIND.getFirst().reason()), BEHIND))
                .forEach(all::add);
        return all;
    }

    /** Whether a round has something to do although no event came. */
    public boolean isUnfinished() {
        return !unanswered.isEmpty() || !blocked.isExplained();
    }

    /**
     * When the next round is due without an event: at once if this one left something; when a cluster becomes unavailable, a job has waited
     * long enough to queue, or a prediction is to be made again.
     */
    public Optional<Instant> next(final Instant now) {
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        if (isUnfinished()) {
            return Optional.of(now);
        }
        Optional<Instant> next = blocked.nextDue();
        if (!blocked.hesitating().isEmpty()) {
            next = Timers.earlier(next, Optional.of(now.plus(policy.planInterval())));
        }
        for (final TargetCluster cluster : clusters.all()) {
            next = Timers.earlier(next, cluster.silentAt(policy, now));
        }
        return next;
    }

    private String directory(final GlobalJob job, final ClusterId cluster) {
        final JobSubmitted submission = job.submission();
        if (cluster.equals(submission.source())) {
            return submission.directory();
        }
        final String root = Objects.requireNonNull(
                Objects.requireNonNull(clusters.of(cluster).marker()).stagingRoot());
        final AttemptId attempt = job.id().attempt(job.attempts().size() + 1);
        return Authorization.stagingDirectory(root, submission.owner(), attempt);
    }
}
