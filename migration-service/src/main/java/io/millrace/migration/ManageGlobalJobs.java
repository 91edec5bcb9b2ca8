package io.millrace.migration;

import io.millrace.decide.IgnoredRecords;
import io.millrace.migration.domain.Explanations;
import io.millrace.migration.domain.LogChange;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.PublishedPlans;
import io.millrace.migration.domain.Timers;
import io.millrace.migration.domain.attempt.JobSteps;
import io.millrace.migration.domain.attempt.NextStep;
import io.millrace.migration.domain.attempt.NoRoom;
import io.millrace.migration.domain.attempt.OrphanedJobs;
import io.millrace.migration.domain.attempt.TransferStates;
import io.millrace.migration.domain.cluster.AvailabilityChanges;
import io.millrace.migration.domain.cluster.CommandRequest;
import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.GlobalJobs;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.migration.domain.plan.JobPlacement;
import io.millrace.migration.domain.plan.PlacementPass;
import io.millrace.migration.domain.plan.PlacementPlan;
import io.millrace.migration.domain.plan.PlanView;
import io.millrace.migration.domain.plan.Rescheduling;
import io.millrace.migration.domain.view.CheapestPlacement;
import io.millrace.migration.domain.view.DueWork;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Making;
import io.millrace.model.job.GlobalJobState.Submitted;
import io.millrace.model.job.GlobalJobState.Uploading;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
    private final GlobalJobs jobs = new GlobalJobs(clusters::hasStarted);
    private final CheapestPlacement cheapest = new CheapestPlacement();
    private final TransferStates transfers = new TransferStates();
    private final PublishedPlans plans;
    private final JobSteps steps;
    private final Explanations explanations = new Explanations();
    private final Rescheduling rescheduling;
    private final OrphanedJobs orphans;
    private final Timers timers = new Timers();
    private final DueWork due = new DueWork();
    private final JobChanges changes;
    private final Inbox inbox;
    private final IgnoredRecords ignored;

    private final List<Request.AvailabilityRequested> requests = new ArrayList<>();
    private final Set<ClusterId> withOrphans = new TreeSet<>();
    private PlacementTable table = PlacementTable.EMPTY;
    private boolean decided;

    /** @param ignored counts ignored records */
    public ManageGlobalJobs(final MigrationPolicy policy, final IgnoredRecords ignored) {
        this.policy = policy;
        this.ignored = ignored;
        plans = new PublishedPlans(policy);
        steps = new JobSteps(policy, clusters, transfers::state);
        rescheduling = new Rescheduling(policy);
        orphans = new OrphanedJobs(policy, jobs);
        changes = new JobChanges(jobs, clusters, transfers, plans, timers, due);
        inbox = new Inbox(jobs, steps, changes, ignored);
    }

    public void submitted(final SubmissionEvent event) {
        inbox.add(event);
    }

    public void ended(final RunEnded end) {
        inbox.add(end);
    }

    public void recorded(final GlobalJob job) {
        jobs.read(job);
        due.changed(job.id());
        if (job.state().isFinal()) {
            transfers.ended(job.id());
        }
    }

    public void observed(final ClusterStateEvent event) {
        final TargetCluster cluster = clusters.of(event.cluster());
        if (cluster.observed(event)) {
            cluster.takeChanged().forEach(tag -> {
                due.changed(tag.job());
                jobs.observed(tag.job());
            });
            due.revised(cluster.id());
            due.unblock(cluster.id());
            due.setPlacement(true);
        }
    }

    /** @throws IllegalArgumentException if {@code key} is not a key of {@code millrace.cluster-state} */
    public void removed(final ClusterId cluster, final String key) {
        clusters.of(cluster).vanished(key);
    }

    public void issued(final Command command, final long offset) {
        clusters.of(command.cluster()).issued(command, offset);
        due.setPlacement(true);
    }

    public void answered(final Outcome outcome) {
        final TargetCluster cluster = clusters.of(outcome.cluster());
        cluster.answered(outcome);
        due.setPlacement(true);
        if (cluster.isFenced()) { // its jobs wait until no command can take effect there
            due.unblock(cluster.id());
        }
        if (outcome.issuer() == Issuer.MIGRATION) {
            jobs.bySubject(outcome.subject())
                    .ifPresentOrElse(due::changed, () -> ignored.count("answer-about-no-live-job"));
            due.revised(outcome.cluster());
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
            jobs.placed().on(cluster.id()).forEach(job -> due.changed(job.id()));
            due.revised(cluster.id());
            due.setPlacement(true);
        }
    }

    public void transferred(final Transfer transfer) {
        transfers.read(transfer);
        due.changed(transfer.attempt().job());
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
        due.setPlacement(true);
    }

    public void offerWithdrawn(final GlobalJobId job, final ClusterId cluster) {
        jobs.waiting().setAlone(job, cheapest.remove(job, cluster));
    }

    /** Applies the classes of a job. */
    public void classified(final GlobalJobId job, final List<String> classes) {
        jobs.waiting().setClass(job, classes.isEmpty() ? "" : classes.getFirst());
        due.setPlacement(true);
    }

    public void classificationRemoved(final GlobalJobId job) {
        jobs.waiting().setClass(job, null);
    }

    /** Applies the table of classes and clusters. */
    public void placementTable(final PlacementTable newest) {
        table = newest;
        due.setPlacement(true);
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
        inbox.apply(now);
        timers.takeDue(now).forEach(due::changed);
        due.forEachChanged(jobs::isLive, id -> follow(id, now));
        returnClusters(now);
        leaveFullDisks(now);
        do {
            followGated(now);
            place(now);
        } while (jobs.hasGated() || due.isPlacementDue());
        rescheduling.of(pass(now), now).forEach(move -> {
            changes.apply(move.job(), new JobFact.WithdrawalDecided(move.withdrawal()), now);
            follow(move.job().id(), now);
        });
        cancelOrphans(now);
        transfers.forgetUnless(jobs::isLive);
        return changes.take();
    }

    /** A job whose files found no room goes to another cluster that accepts it. Without one, transfer-service repeats the copy. */
    private void leaveFullDisks(final Instant now) {
        for (final GlobalJobId id : transfers.withoutRoom()) {
            jobs.find(id).ifPresent(job -> leaveFullDisk(job, now));
        }
    }

    private void leaveFullDisk(final GlobalJob job, final Instant now) {
        final TransferState upload =
                job.state() instanceof Uploading uploading ? transfers.state(uploading.transfer()) : null;
        final Optional<AttemptEnd> end = upload == null ? Optional.empty() : NoRoom.end(upload);
        if (end.isEmpty() || job.stop() != null || job.hold() != null) {
            return;
        }
        pass(now).elsewhere(job).ifPresent(placement -> {
            changes.apply(job, new JobFact.Abandoned(end.get()), now);
            changes.apply(jobs.find(job.id()).orElseThrow(), placement.fact(), now);
            follow(job.id(), now);
        });
    }

    private void decide(final ClusterAvailability decision) {
        changes.publish(decision);
        decided(decision);
    }

    private void returnClusters(final Instant now) {
        for (final ClusterId id : List.copyOf(due.revisedClusters())) {
            final TargetCluster cluster = clusters.of(id);
            AvailabilityChanges.returned(cluster, () -> orphans.isClear(cluster), now)
                    .ifPresent(this::decide);
        }
    }

    private void cancelOrphans(final Instant now) {
        withOrphans.forEach(due::revised);
        withOrphans.clear();
        for (final ClusterId id : due.takeRevisedClusters()) {
            final TargetCluster cluster = clusters.of(id);
            orphans.due(cluster, now).forEach(cancel -> issue(cluster, cancel, now));
            if (orphans.existOn(cluster)) {
                withOrphans.add(id);
            }
        }
        timers.setOrphanCheck(
                withOrphans.isEmpty() ? Optional.empty() : Optional.of(now.plus(policy.initialBackoff())));
    }

    /** When to decide next even without an event. */
    public Optional<Instant> wakeAt() {
        return explanations.isFinished() ? timers.next() : Optional.of(Instant.EPOCH);
    }

    /** The number of active jobs by state. */
    public Map<String, Long> liveByState() {
        return jobs.byState();
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
                    if (!changes.apply(current, learned.fact(), now)) {
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
            changes.withdrawPlan(job.id());
            return;
        }
        due.blocked(job.id(), cluster.id());
        changes.explain(job.id(), job.state().word() + ": " + obstacle.get().reason(), List.of(obstacle.get()), now);
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
            due.setPlacement(true);
        } else if (gate.get().permanent()) {
            changes.apply(job, new JobFact.Impossible(gate.get().reason()), now);
        } else {
            changes.apply(job, new JobFact.Delayed(gate.get().reason()), now);
            changes.explain(job.id(), gate.get().reason(), List.of(gate.get()), now);
        }
    }

    private void place(final Instant now) {
        boolean again = false;
        if (!jobs.waiting().isEmpty() && (due.isPlacementDue() || timers.isPlacementDue(now))) {
            again = plan(now);
        }
        explain(now);
        due.setPlacement(again);
    }

    /** Returns whether other jobs may now wait for a limit instead of another obstacle. */
    private boolean plan(final Instant now) {
        final PlacementPlan plan = pass(now).plan();
        for (final JobPlacement placement : plan.placements()) {
            changes.apply(placement.job(), placement.fact(), now);
            follow(placement.job().id(), now);
        }
        explanations.planned(plan.blocked(), jobs.waiting().takeChanged());
        timers.setPlacement(plan.next());
        return policy.limits().areSet() && !plan.placements().isEmpty();
    }

    private PlacementPass pass(final Instant now) {
        return new PlacementPass(
                new PlanView(clusters, jobs.placed(), jobs.waiting(), transfers.times(), cheapest, table), policy, now);
    }

    private void explain(final Instant now) {
        for (final Explanations.Explanation delay : explanations.take()) {
            changes.apply(jobs.find(delay.job()).orElseThrow(), new JobFact.Delayed(delay.reason()), now);
            changes.waits(delay.job(), delay.reason(), delay.vetoes(), now);
        }
    }

    private void issue(final TargetCluster cluster, final CommandRequest request, final Instant now) {
        final Command command = cluster.issue(request, policy, now);
        changes.publish(command);
    }
}
