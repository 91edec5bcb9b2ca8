package io.millrace.migration;

import io.millrace.migration.domain.LogChange;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.PublishedPlans;
import io.millrace.migration.domain.Timers;
import io.millrace.migration.domain.attempt.JobSteps;
import io.millrace.migration.domain.attempt.NextStep;
import io.millrace.migration.domain.attempt.OrphanedJobs;
import io.millrace.migration.domain.attempt.TransferRequests;
import io.millrace.migration.domain.attempt.TransferStates;
import io.millrace.migration.domain.cluster.AvailabilityChanges;
import io.millrace.migration.domain.cluster.CommandRequest;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.GlobalJobLifecycle;
import io.millrace.migration.domain.job.GlobalJobs;
import io.millrace.migration.domain.job.HeldJob;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.migration.domain.placement.CheapestPlacement;
import io.millrace.migration.domain.placement.PlacementRound;
import io.millrace.migration.domain.placement.Rescheduling;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.cluster.ClusterAvailability;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.Request;
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
 * Use case: moves every global job from submission to its end. Folds jobs and clusters from the log; {@link #decide} returns what to
 * write next.
 *
 * <p>Submissions and ended runs wait in an inbox until the next decision, because they are consumed once, in the same transaction as the
 * states they lead to. Everything else is state that may be replayed at any time. A decision visits only the jobs that have changed or
 * are due, never all of them.
 */
public final class ManageGlobalJobs {

    private final MigrationPolicy policy;
    private final TargetClusters clusters = new TargetClusters();
    private final GlobalJobs jobs = new GlobalJobs();
    private final CheapestPlacement cheapest = new CheapestPlacement();
    private final TransferStates transfers = new TransferStates();
    private final PublishedPlans plans;
    private final JobSteps steps;
    private final PlacementRound placements;
    private final Rescheduling rescheduling;
    private final OrphanedJobs orphans;
    private final Timers timers = new Timers();
    private final IgnoredRecords ignored;

    private final List<SubmissionEvent> submissions = new ArrayList<>();
    private final List<RunEnded> ends = new ArrayList<>();
    private final List<Request.AvailabilityRequested> requests = new ArrayList<>();
    private final Set<GlobalJobId> changedJobs = new HashSet<>();
    private final Map<ClusterId, Set<GlobalJobId>> blockedOn = new TreeMap<>();
    private final Set<ClusterId> revised = new TreeSet<>();
    private final Set<ClusterId> withOrphans = new TreeSet<>();
    private boolean placementDue = true;
    private boolean decided;

    private List<LogChange> changes = new ArrayList<>();

    /** @param ignored counts ignored records */
    public ManageGlobalJobs(final MigrationPolicy policy, final IgnoredRecords ignored) {
        this.policy = policy;
        this.ignored = ignored;
        plans = new PublishedPlans(policy);
        steps = new JobSteps(policy, clusters, transfers::state);
        placements = new PlacementRound(policy, clusters, jobs.placed(), jobs.waiting(), transfers.times(), cheapest);
        rescheduling = placements.rescheduling(transfers.times());
        orphans = new OrphanedJobs(policy, jobs);
    }

    public void submitted(final SubmissionEvent event) {
        submissions.add(event);
    }

    public void ended(final RunEnded end) {
        ends.add(end);
    }

    public void recorded(final GlobalJob job) {
        jobs.read(job);
        changedJobs.add(job.id());
        if (job.state().isFinal()) {
            transfers.ended(job.id());
        }
    }

    public void observed(final ClusterStateEvent event) {
        final TargetCluster cluster = clusters.of(event.cluster());
        if (cluster.observed(event)) {
            cluster.takeChanged().forEach(tag -> changedJobs.add(tag.job()));
            revised.add(cluster.id());
            reconsiderBlocked(cluster.id());
            placementDue = true;
        }
    }

    private void reconsiderBlocked(final ClusterId cluster) {
        final Set<GlobalJobId> blocked = blockedOn.remove(cluster);
        if (blocked != null) {
            changedJobs.addAll(blocked);
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
        final TargetCluster cluster = clusters.of(outcome.cluster());
        cluster.answered(outcome);
        placementDue = true;
        if (cluster.isFenced()) { // its jobs wait until no command can take effect there
            reconsiderBlocked(cluster.id());
        }
        if (outcome.issuer() == Issuer.MIGRATION) {
            jobs.bySubject(outcome.subject())
                    .ifPresentOrElse(changedJobs::add, () -> ignored.count("answer-about-no-live-job"));
            revised.add(outcome.cluster());
        }
    }

    /** An operator requests that a cluster is drained, fenced or opened. */
    public void requested(final Request.AvailabilityRequested request) {
        requests.add(request);
    }

    /** Applies what operators decided about a cluster. */
    public void decided(final ClusterAvailability decision) {
        final TargetCluster cluster = clusters.of(decision.cluster());
        if (cluster.decided(decision)) {
            jobs.placed().on(cluster.id()).forEach(job -> changedJobs.add(job.id()));
            revised.add(cluster.id());
            placementDue = true;
        }
    }

    public void transferred(final Transfer transfer) {
        transfers.read(transfer);
        changedJobs.add(transfer.attempt().job());
    }

    /**
     * Applies a plan: of backfill-service the predicted start of a local job; its own only during replay, because after the first decision
     * the service's own state is authoritative.
     */
    public void planned(final Plan plan, final Instant at) {
        if (plan.issuer() == Issuer.BACKFILL && plan.job() instanceof JobKey local) {
            clusters.of(local.cluster()).predicted(local, plan.predictedStart());
        } else if (!decided) {
            plans.read(plan, at);
        }
    }

    /** Applies an offer: the cost of placing a job on a cluster by preemption. */
    public void offered(final PlacementOffered offer) {
        cheapest.put(offer);
        jobs.waiting().setAlone(offer.job(), true);
        placementDue = true;
    }

    public void offerWithdrawn(final GlobalJobId job, final ClusterId cluster) {
        jobs.waiting().setAlone(job, cheapest.remove(job, cluster));
    }

    /** Applies the classes of a job. */
    public void classified(final GlobalJobId job, final List<String> classes) {
        jobs.waiting().setClass(job, classes.isEmpty() ? "" : classes.getFirst());
        placementDue = true;
    }

    public void classificationRemoved(final GlobalJobId job) {
        jobs.waiting().setClass(job, null);
    }

    /** Applies the table of classes and clusters. */
    public void placementTable(final PlacementTable table) {
        placements.use(table);
        placementDue = true;
    }

    public void planWithdrawn(final GlobalJobId job) {
        if (!decided) {
            plans.readWithdrawn(job);
        }
    }

    /** The changes that follow from the events since the last decision; empty if there are none. They count as written. */
    public List<LogChange> decide(final Instant now) {
        decided = true;
        clusters.forgetBefore(now);
        requests.forEach(request -> AvailabilityChanges.after(clusters.of(request.cluster()), request, now)
                .ifPresent(this::decide));
        requests.clear();
        submissions.forEach(event -> take(event, now));
        submissions.clear();
        ends.forEach(end -> take(end, now));
        ends.clear();
        changedJobs.addAll(timers.takeDue(now));
        changedJobs.stream().filter(jobs::isLive).sorted().toList().forEach(id -> follow(id, now));
        changedJobs.clear();
        returnClusters(now);
        do {
            followGated(now);
            place(now);
        } while (jobs.hasGated() || placementDue);
        rescheduling.of(now).forEach(move -> {
            learn(move.job(), new JobFact.WithdrawalDecided(move.withdrawal()), now);
            follow(move.job().id(), now);
        });
        cancelOrphans(now);
        transfers.forgetUnless(jobs::isLive);
        final List<LogChange> all = changes;
        changes = new ArrayList<>();
        return all;
    }

    private void decide(final ClusterAvailability decision) {
        changes.add(new LogChange.Publish(decision));
        decided(decision);
    }

    private void returnClusters(final Instant now) {
        for (final ClusterId id : Set.copyOf(revised)) {
            final TargetCluster cluster = clusters.of(id);
            AvailabilityChanges.returned(cluster, () -> orphans.isClear(cluster), now)
                    .ifPresent(this::decide);
        }
    }

    private void cancelOrphans(final Instant now) {
        revised.addAll(withOrphans);
        withOrphans.clear();
        for (final ClusterId id : revised) {
            final TargetCluster cluster = clusters.of(id);
            orphans.due(cluster, now).forEach(cancel -> issue(cluster, cancel, now));
            if (orphans.existOn(cluster)) {
                withOrphans.add(id);
            }
        }
        revised.clear();
        timers.setOrphanCheck(
                withOrphans.isEmpty() ? Optional.empty() : Optional.of(now.plus(policy.initialBackoff())));
    }

    /** When to decide next even without an event. */
    public Optional<Instant> wakeAt() {
        return timers.next();
    }

    /** The number of active jobs by state. */
    public Map<String, Long> liveByState() {
        return jobs.byState();
    }

    private void take(final SubmissionEvent event, final Instant now) {
        switch (event) {
            case JobSubmitted submission -> {
                if (jobs.isKnown(submission.job())) {
                    ignored.count("submission-repeated");
                    return;
                }
                record(GlobalJobLifecycle.accepted(submission, now), now);
            }
            case StopRequested stop -> {
                final Optional<GlobalJob> job = jobs.find(stop.job());
                if (job.isEmpty()) {
                    ignored.count(jobs.isKnown(stop.job()) ? "stop-of-ended-job" : "stop-of-unknown-job");
                    return;
                }
                learn(job.get(), new JobFact.StopReceived(stop), now);
            }
            case HoldRequested hold -> change(hold, new JobFact.HoldReceived(hold), now);
            case AlterRequested change -> {
                final JobDependency other = change.dependency();
                if (other != null
                        && jobs.find(change.job())
                                .filter(job -> jobs.isCircular(job, other))
                                .isPresent()) {
                    ignored.count("alter-to-circular-dependency");
                    return;
                }
                change(change, new JobFact.AlterReceived(change), now);
            }
            case ReleaseRequested release -> change(release, new JobFact.ReleaseReceived(release), now);
        }
    }

    private void change(final SubmissionEvent event, final JobFact fact, final Instant now) {
        jobs.find(event.job())
                .ifPresentOrElse(job -> learn(job, fact, now), () -> ignored.count("change-of-no-live-job"));
    }

    /** Applies the end of a run of a global job, even if the local id was not known before. */
    private void take(final RunEnded end, final Instant now) {
        final AttemptId tag = end.attempt();
        if (tag == null || !end.outcome().endsTheKey()) {
            return;
        }
        final Optional<GlobalJob> job = jobs.find(tag.job()).filter(j -> isCurrent(j, tag));
        final JobFact fact = end.outcome() instanceof RunOutcome.Continued on
                ? new JobFact.RunContinued(end.job(), on.continuedAs())
                : job.map(j -> steps.over(j, end.job(), end.outcome(), now)).orElse(null);
        if (job.isEmpty() || fact == null || !learn(job.get(), fact, now)) {
            ignored.count("end-of-no-current-attempt");
        }
    }

    private static boolean isCurrent(final GlobalJob job, final AttemptId tag) {
        final Attempt attempt = job.attempt();
        return attempt != null && attempt.number() == tag.number();
    }

    /** Moves a placed job forward as far as the known facts allow. */
    private void follow(final GlobalJobId id, final Instant now) {
        Optional<GlobalJob> job = jobs.find(id);
        while (job.isPresent() && !(job.get().state() instanceof Waiting)) {
            final GlobalJob current = job.get();
            final TargetCluster cluster =
                    clusters.of(Objects.requireNonNull(current.attempt()).cluster());
            switch (steps.next(current, now)) {
                case NextStep.Learn learned -> {
                    if (!learn(current, learned.fact(), now)) {
                        throw new IllegalStateException("job " + id + " in state "
                                + current.state().word() + " cannot apply " + learned.fact());
                    }
                }
                case NextStep.Issue issue -> issue(cluster, issue.command(), now);
                case NextStep.Wait wait -> {
                    waitFor(current, cluster, wait, now);
                    return;
                }
            }
            job = jobs.find(id);
        }
    }

    private void waitFor(
            final GlobalJob job, final TargetCluster cluster, final NextStep.Wait wait, final Instant now) {
        timers.set(job.id(), Timers.earlier(wait.until(), cluster.silentAt(policy, now)));
        final Optional<Veto> obstacle = wait.obstacle().or(() -> unavailable(job, cluster, now));
        if (obstacle.isEmpty()) {
            plans.withdraw(job.id()).ifPresent(changes::add);
            return;
        }
        blockedOn.computeIfAbsent(cluster.id(), c -> new HashSet<>()).add(job.id());
        plans.explain(job.id(), job.state().word() + ": " + obstacle.get().reason(), List.of(obstacle.get()), now)
                .ifPresent(changes::add);
    }

    /** The obstacle of a job on an unavailable cluster: its state is unknown. */
    private Optional<Veto> unavailable(final GlobalJob job, final TargetCluster cluster, final Instant now) {
        return job.state() instanceof Making || job.state() instanceof Submitted
                ? (cluster.isFenced() ? cluster.closure() : cluster.unavailability(policy, now))
                : Optional.empty();
    }

    /** Explains why jobs wait for other jobs, and ends those whose dependency can never be satisfied. */
    private void followGated(final Instant now) {
        while (jobs.hasGated()) {
            for (final GlobalJobId id : jobs.takeGated()) {
                jobs.find(id)
                        .filter(job -> job.state() instanceof Waiting && job.hold() == null)
                        .ifPresent(job -> followGated(job, now));
            }
        }
    }

    private void followGated(final GlobalJob job, final Instant now) {
        final Optional<Veto> gate = jobs.gate(job);
        if (gate.isEmpty()) {
            placementDue = true;
        } else if (gate.get().permanent()) {
            learn(job, new JobFact.Impossible(gate.get().reason()), now);
        } else {
            learn(job, new JobFact.Delayed(gate.get().reason()), now);
            plans.explain(job.id(), gate.get().reason(), List.of(gate.get()), now)
                    .ifPresent(changes::add);
        }
    }

    private void place(final Instant now) {
        if (jobs.waiting().isEmpty() || !(placementDue || timers.isPlacementDue(now))) {
            placementDue = false;
            return;
        }
        boolean reached = false;
        for (final PlacementRound.Placement placement : placements.of(now)) {
            learn(placement.job(), placement.fact(), now);
            follow(placement.job().id(), now);
            reached |= policy.limits().areSet();
        }
        for (final PlacementRound.Placement delay : placements.explanations()) {
            learn(delay.job(), delay.fact(), now);
            plans.explain(delay.job().id(), ((JobFact.Delayed) delay.fact()).reason(), delay.vetoes(), now)
                    .ifPresent(changes::add);
        }
        placementDue = reached; // other jobs may be told a limit now instead of another obstacle
        timers.setPlacement(placements.next(now));
    }

    /** Applies the fact and requests what the new state needs; false if the fact does not change the job. */
    private boolean learn(final GlobalJob job, final JobFact fact, final Instant now) {
        final Optional<GlobalJob> after = GlobalJobLifecycle.after(job, fact, now);
        after.ifPresent(next -> {
            record(next, now);
            TransferRequests.of(job, next, clusters, now)
                    .forEach(request -> changes.add(new LogChange.Publish(request)));
        });
        return after.isPresent();
    }

    private void record(final GlobalJob job, final Instant now) {
        jobs.put(job);
        changes.add(new LogChange.Publish(job));
        changedJobs.add(job.id());
        placementDue = true;
        if (job.state() instanceof Waiting && job.hold() != null) {
            final Veto held = HeldJob.veto(job);
            plans.explain(job.id(), held.reason(), List.of(held), now).ifPresent(changes::add);
        }
        if (job.state().isFinal()) {
            transfers.ended(job.id());
            plans.withdraw(job.id()).ifPresent(changes::add);
            timers.set(job.id(), Optional.empty());
            final Attempt attempt = job.attempt();
            if (attempt != null) {
                revised.add(attempt.cluster());
            }
        }
    }

    private void issue(final TargetCluster cluster, final CommandRequest request, final Instant now) {
        final Command command = cluster.issue(request, policy, now);
        changes.add(new LogChange.Publish(command));
    }
}
