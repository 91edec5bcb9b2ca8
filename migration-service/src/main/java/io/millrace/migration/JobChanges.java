package io.millrace.migration;

import io.millrace.migration.domain.LogChange;
import io.millrace.migration.domain.PublishedPlans;
import io.millrace.migration.domain.Timers;
import io.millrace.migration.domain.attempt.TransferRequests;
import io.millrace.migration.domain.attempt.TransferStates;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.GlobalJobLifecycle;
import io.millrace.migration.domain.job.GlobalJobs;
import io.millrace.migration.domain.job.HeldJob;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.migration.domain.view.DueWork;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Veto;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Waiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a decision changes: the new states of jobs, with the commands, requests and plans that go with them. */
final class JobChanges {

    private final GlobalJobs jobs;
    private final TargetClusters clusters;
    private final TransferStates transfers;
    private final PublishedPlans plans;
    private final Timers timers;
    private final DueWork due;
    private List<LogChange> changes = new ArrayList<>();

    JobChanges(
            final GlobalJobs jobs,
            final TargetClusters clusters,
            final TransferStates transfers,
            final PublishedPlans plans,
            final Timers timers,
            final DueWork due) {
        this.jobs = jobs;
        this.clusters = clusters;
        this.transfers = transfers;
        this.plans = plans;
        this.timers = timers;
        this.due = due;
    }

    /** Applies the fact and requests what the new state needs; false if the fact does not change the job. */
    boolean apply(final GlobalJob job, final JobFact fact, final Instant now) {
        final Optional<GlobalJob> after = GlobalJobLifecycle.after(job, fact, now);
        after.ifPresent(next -> {
            record(next, now);
            TransferRequests.of(job, next, clusters, now).forEach(this::publish);
        });
        return after.isPresent();
    }

    void record(final GlobalJob job, final Instant now) {
        jobs.put(job);
        publish(job);
        due.changed(job.id());
        due.setPlacement(true);
        if (job.state() instanceof Waiting && job.hold() != null) {
            final Veto held = HeldJob.veto(job);
            explain(job.id(), held.reason(), List.of(held), now);
        }
        if (job.state().isFinal()) {
            transfers.ended(job.id());
            withdrawPlan(job.id());
            timers.set(job.id(), Optional.empty());
            final Attempt attempt = job.attempt();
            if (attempt != null) {
                due.revised(attempt.cluster());
            }
        }
    }

    void publish(final Event event) {
        changes.add(new LogChange.Publish(event));
    }

    /** Publishes why the job waits, if that is new. */
    void explain(final GlobalJobId job, final String why, final List<Veto> vetoes, final Instant now) {
        plans.explain(job, why, vetoes, now).ifPresent(changes::add);
    }

    /** Publishes what a job waits for, if it is another obstacle. */
    void waits(final GlobalJobId job, final String why, final List<Veto> vetoes, final Instant now) {
        plans.waits(job, why, vetoes, now).ifPresent(changes::add);
    }

    void withdrawPlan(final GlobalJobId job) {
        plans.withdraw(job).ifPresent(changes::add);
    }

    /** Returns all changes since the last call. */
    List<LogChange> take() {
        final List<LogChange> all = changes;
        changes = new ArrayList<>();
        return all;
    }
}
