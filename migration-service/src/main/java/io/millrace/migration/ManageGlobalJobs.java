package io.millrace.migration;

import io.millrace.migration.domain.CheapestPlacement;
import io.millrace.migration.domain.GlobalJobLifecycle;
import io.millrace.migration.domain.GlobalJobs;
import io.millrace.migration.domain.JobFact;
import io.millrace.migration.domain.JobSteps;
import io.millrace.migration.domain.LogChange;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.NextStep;
import io.millrace.migration.domain.OrphanedJobs;
import io.millrace.migration.domain.PlacementRound;
import io.millrace.migration.domain.PublishedPlans;
import io.millrace.migration.domain.TargetCluster;
import io.millrace.migration.domain.TargetClusters;
import io.millrace.migration.domain.Timers;
import io.millrace.migration.domain.TransferRequests;
import io.millrace.migration.domain.TransferStates;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Veto;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.Plan;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.view.IgnoredRecords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All global jobs and what is known of the clusters, folded from the log; {@link #decide} says what follows.
 *
 * <p>Submissions and ends wait in an inbox until the next decision: they are consumed once, in the same transaction as the states they
 * lead to. Everything else is a picture that may be read again at any time. Jobs are looked at when something about them was heard or
 * their time has come, never all of them.
 */
public final class ManageGlobalJobs {

    private final MigrationPolicy policy;
    private final TargetClusters clusters = new TargetClusters();
    private final GlobalJobs jobs = new GlobalJobs();
    private final CheapestPlacement room = new CheapestPlacement();
    private final TransferStates transfers = new TransferStates();
    private final PublishedPlans plans;
    private final JobSteps steps;
    private final PlacementRound placements;
    private final OrphanedJobs strays;
    private final Timers timers = new Timers();
    private final IgnoredRecords tally;

    private final List<SubmissionEvent> submissions = new ArrayList<>();
    private final List<RunEnded> ends = new ArrayList<>();
    private final Set<GlobalJobId> heard = new HashSet<>();
    private final Map<ClusterId, Set<GlobalJobId>> obstructed = new TreeMap<>();
    private final Set<ClusterId> revised = new TreeSet<>();
    private final Set<ClusterId> astray = new TreeSet<>();
    private boolean placementDue = true;
    private boolean decided;

    private List<LogChange> said = new ArrayList<>();

    /** @param tally counts what was read and meant nothing */
    public ManageGlobalJobs(final MigrationPolicy policy, final IgnoredRecords tally) {
        this.policy = policy;
        this.tally = tally;
        plans = new PublishedPlans(policy);
        steps = new JobSteps(policy, clusters, transfers::state);
        placements = new PlacementRound(policy, clusters, room);
        strays = new OrphanedJobs(policy, jobs);
    }

    public void submitted(final SubmissionEvent event) {
        submissions.add(event);
    }

    public void ended(final RunEnded end) {
        ends.add(end);
    }

    public void recorded(final GlobalJob job) {
        jobs.read(job);
        heard.add(job.id());
    }

    public void observed(final ClusterStateEvent event) {
        final TargetCluster cluster = clusters.of(event.cluster());
        if (cluster.observed(event)) {
            cluster.takeChanged().forEach(tag -> heard.add(tag.job()));
            revised.add(cluster.id());
            final Set<GlobalJobId> waitedForIt = obstructed.remove(cluster.id());
            if (waitedForIt != null) {
                heard.addAll(waitedForIt);
            }
            placementDue = true;
        }
    }

    /** @throws IllegalArgumentException if {@code key} is not a key of {@code millrace.cluster-state} */
    public void removed(final ClusterId cluster, final String key) {
        clusters.of(cluster).vanished(key);
    }

    public void issued(final Command command, final long offset) {
        clusters.of(command.cluster()).issued(command, offset);
        placementDue = true;
    }

    public void answered(final Outcome outcome) {
        clusters.of(outcome.cluster()).answered(outcome);
        placementDue = true;
        if (outcome.issuer() == Issuer.MIGRATION) {
            jobs.bySubject(outcome.subject())
                    .ifPresentOrElse(heard::add, () -> tally.count("answer-about-no-live-job"));
            revised.add(outcome.cluster());
        }
    }

    public void transferred(final Transfer transfer) {
        transfers.read(transfer);
        heard.add(transfer.attempt().job());
    }

    /** Takes a plan of the replay. Once this has decided, its own memory is the truth and echoes are not asked. */
    public void planned(final Plan plan, final Instant at) {
        if (!decided) {
            plans.read(plan, at);
        }
    }

    /** What room for a job would cost on a cluster. */
    public void offered(final PlacementOffered offer) {
        room.put(offer);
        placementDue = true;
    }

    public void offerWithdrawn(final GlobalJobId job, final ClusterId cluster) {
        room.remove(job, cluster);
    }

    public void planWithdrawn(final GlobalJobId job) {
        if (!decided) {
            plans.readWithdrawn(job);
        }
    }

    /** What follows from all that was heard; empty if nothing new. What is returned is taken as said. */
    public List<LogChange> decide(final Instant now) {
        decided = true;
        clusters.forgetBefore(now);
        submissions.forEach(event -> take(event, now));
        submissions.clear();
        ends.forEach(end -> take(end, now));
        ends.clear();
        heard.addAll(timers.takeDue(now));
        heard.stream().filter(jobs::isLive).sorted().toList().forEach(id -> follow(id, now));
        heard.clear();
        place(now);
        cancelStrays(now);
        transfers.forgetUnless(jobs::isLive);
        final List<LogChange> all = said;
        said = new ArrayList<>();
        return all;
    }

    private void cancelStrays(final Instant now) {
        revised.addAll(astray);
        astray.clear();
        for (final ClusterId id : revised) {
            final TargetCluster cluster = clusters.of(id);
            strays.due(cluster, now).forEach(cancel -> order(cluster, cancel, now));
            if (strays.existOn(cluster)) {
                astray.add(id);
            }
        }
        revised.clear();
        timers.setOrphanCheck(astray.isEmpty() ? Optional.empty() : Optional.of(now.plus(policy.retryAfter())));
    }

    /** When to decide next even if nothing is heard. */
    public Optional<Instant> wakeAt() {
        return timers.next();
    }

    /** Jobs that are not yet over, by the word of their state. */
    public Map<String, Long> liveByState() {
        return jobs.byState();
    }

    private void take(final SubmissionEvent event, final Instant now) {
        switch (event) {
            case JobSubmitted submission -> {
                if (jobs.isKnown(submission.job())) {
                    tally.count("submission-repeated");
                    return;
                }
                record(GlobalJobLifecycle.accepted(submission, now));
            }
            case StopRequested stop -> {
                final Optional<GlobalJob> job = jobs.find(stop.job());
                if (job.isEmpty()) {
                    tally.count(jobs.isKnown(stop.job()) ? "stop-of-ended-job" : "stop-of-unknown-job");
                    return;
                }
                learn(job.get(), new JobFact.StopReceived(stop), now);
            }
        }
    }

    /** A run that ended. What it says about a job of ours is taken at once, even if the local id was not known before. */
    private void take(final RunEnded end, final Instant now) {
        final AttemptId tag = end.attempt();
        if (tag == null || !end.outcome().endsTheKey()) {
            return;
        }
        final Optional<GlobalJob> job = jobs.find(tag.job()).filter(j -> isCurrent(j, tag));
        final JobFact fact = end.outcome() instanceof RunOutcome.Continued on
                ? new JobFact.RunContinued(end.job(), on.continuedAs())
                : new JobFact.RunFinished(end.job(), end.outcome());
        if (job.isEmpty() || !learn(job.get(), fact, now)) {
            tally.count("end-of-no-current-attempt");
        }
    }

    private static boolean isCurrent(final GlobalJob job, final AttemptId tag) {
        final Attempt attempt = job.attempt();
        return attempt != null && attempt.number() == tag.number();
    }

    /** Takes a placed job as far as what is known allows. */
    private void follow(final GlobalJobId id, final Instant now) {
        Optional<GlobalJob> job = jobs.find(id);
        while (job.isPresent() && !(job.get().state() instanceof Waiting)) {
            final GlobalJob current = job.get();
            final TargetCluster cluster =
                    clusters.of(Objects.requireNonNull(current.attempt()).cluster());
            switch (steps.next(current, now)) {
                case NextStep.Learn learned -> {
                    if (!learn(current, learned.fact(), now)) {
                        throw new IllegalStateException(
                                current.state() + " of " + id + " has no place for " + learned.fact());
                    }
                }
                case NextStep.Issue order -> order(cluster, order, now);
                case NextStep.Wait wait -> {
                    rest(current, cluster, wait, now);
                    return;
                }
            }
            job = jobs.find(id);
        }
    }

    private void rest(final GlobalJob job, final TargetCluster cluster, final NextStep.Wait wait, final Instant now) {
        timers.set(job.id(), Timers.earlier(wait.until(), cluster.silentAt(policy, now)));
        final Optional<Veto> obstacle = wait.obstacle().or(() -> unheard(job, cluster, now));
        if (obstacle.isEmpty()) {
            plans.withdraw(job.id()).ifPresent(said::add);
            return;
        }
        obstructed.computeIfAbsent(cluster.id(), c -> new HashSet<>()).add(job.id());
        plans.explain(job.id(), job.state().word() + ": " + obstacle.get().reason(), List.of(obstacle.get()), now)
                .ifPresent(said::add);
    }

    /** A job in the hands of a cluster that is not heard of: its owner is told that nothing is known. */
    private Optional<Veto> unheard(final GlobalJob job, final TargetCluster cluster, final Instant now) {
        return job.state() instanceof Making || job.state() instanceof Submitted
                ? cluster.unavailability(policy, now)
                : Optional.empty();
    }

    private void place(final Instant now) {
        final List<GlobalJob> waiting = jobs.waiting();
        if (waiting.isEmpty() || !(placementDue || timers.isPlacementDue(now))) {
            return;
        }
        for (final PlacementRound.Placement placement : placements.of(jobs.all(), waiting, now)) {
            final GlobalJob job = placement.job();
            learn(job, placement.fact(), now);
            if (placement.fact() instanceof JobFact.Delayed delayed) {
                plans.explain(job.id(), delayed.reason(), placement.vetoes(), now).ifPresent(said::add);
            } else {
                follow(job.id(), now);
            }
        }
        placementDue = false;
        timers.setPlacement(placements.next(jobs.waiting(), now));
    }

    /** Records what the fact makes of the job, and asks for what its new state needs; false if the fact means nothing to it. */
    private boolean learn(final GlobalJob job, final JobFact fact, final Instant now) {
        final Optional<GlobalJob> after = GlobalJobLifecycle.after(job, fact, now);
        after.ifPresent(next -> {
            record(next);
            TransferRequests.of(job, next, clusters, now).forEach(request -> said.add(new LogChange.Publish(request)));
        });
        return after.isPresent();
    }

    private void record(final GlobalJob job) {
        jobs.put(job);
        said.add(new LogChange.Publish(job));
        heard.add(job.id());
        placementDue = true;
        if (job.state().isFinal()) {
            plans.withdraw(job.id()).ifPresent(said::add);
            timers.set(job.id(), Optional.empty());
            final Attempt attempt = job.attempt();
            if (attempt != null) {
                revised.add(attempt.cluster());
            }
        }
    }

    private void order(final TargetCluster cluster, final NextStep.Issue order, final Instant now) {
        final Command command = cluster.issue(order, policy, now);
        said.add(new LogChange.Publish(command));
    }
}
