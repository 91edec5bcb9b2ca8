package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.forecast.DisplacedReservations;
import io.millrace.backfill.domain.forecast.PassSnapshot;
import io.millrace.backfill.domain.forecast.PlanEvents;
import io.millrace.backfill.domain.forecast.PublishedPlans;
import io.millrace.backfill.domain.forecast.StartEstimates;
import io.millrace.backfill.domain.job.IneligibleJob;
import io.millrace.backfill.domain.job.JobRole;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.Start;
import io.millrace.backfill.domain.planner.BackfillPlanner;
import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.backfill.domain.planner.Schedule;
import io.millrace.decide.Changes;
import io.millrace.decide.ClusterView;
import io.millrace.decide.CommandView;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a live cluster: which jobs start, which are preempted, and the published plans of waiting jobs. The cost of a pass depends on
 * what has changed since the one before: it updates {@link DirtyJobs}, then the predicted starts of jobs behind the first change in order,
 * and publishes only changes. Not thread-safe.
 */
public final class LivePlan {

    private final DirtyJobs dirty;
    private final RetainedState retained;
    private final LiveQueue queue;
    private final LivePlanner planner;
    private final DisplacedReservations displaced = new DisplacedReservations();
    private final StartEstimates estimates = new StartEstimates();
    private final PublishedPlans plans;
    /** Why no job could be started in the last pass; null if jobs could be started. */
    private @Nullable Veto blockedBy;
    /** Whether all published plans come from this object, not from an earlier process. */
    private boolean allPublished;

    /** @param dirty listens to the views; report other changes by {@link #markDirty} */
    public LivePlan(
            final ClusterView observed,
            final CommandView commands,
            final DirtyJobs dirty,
            final Map<JobKey, Entitlement> entitlements,
            final RetainedState retained,
            final SiteSettings site,
            final StartSettings starts,
            final BackfillPolicy policy) {
        this.dirty = dirty;
        this.retained = retained;
        this.queue = new LiveQueue(observed, commands, dirty, entitlements, retained, site, starts);
        this.planner = new LivePlanner(policy, queue, retained);
        this.plans = new PublishedPlans(observed.cluster());
    }

    /** Reports that an entitlement or class of a job has changed. */
    public void markDirty(final JobKey job) {
        dirty.jobChanged(job);
    }

    /** Takes a plan that an earlier process published; null is a tombstone. */
    public void replay(final String key, final @Nullable Plan plan) {
        plans.replay(key, plan);
    }

    /** Makes the next pass start from scratch. */
    public void reset() {
        dirty.markAll();
        planner.reset();
        estimates.forget();
        blockedBy = null;
        allPublished = false;
    }

    /** Removes all published plans, because this cluster is not planned here. */
    public void withdrawAll(final Changes changes) {
        reset();
        plans.keepOnly(job -> false, changes);
    }

    /** When a back-off ends; empty if only an event can change the plan. */
    public Optional<Instant> replanAt() {
        return queue.replanAt();
    }

    /**
     * Runs one pass and adds changed plans to {@code changes}.
     *
     * @return the decisions; empty if no job may be started on this cluster now
     * @throws NullPointerException if no revision of the cluster has been closed
     */
    public Optional<Schedule> pass(final RunTimeHistory history, final Instant now, final Changes changes) {
        final Set<JobKey> changed = queue.update(now);
        if (!allPublished) {
            plans.keepOnly(job -> hasPlan(queue.role(job)), changes);
        }
        changed.forEach(job -> publishUnlessQueued(job, changes));
        final @Nullable Veto veto = queue.blockingVeto().orElse(null);
        final Optional<Schedule> schedule;
        if (veto != null) {
            publishBlocked(veto, changed, changes);
            schedule = Optional.empty();
        } else {
            schedule = Optional.of(plan(changed, history, now.getEpochSecond(), changes));
        }
        blockedBy = veto;
        allPublished = true;
        return schedule;
    }

    private static boolean hasPlan(final @Nullable JobRole role) {
        return switch (role) {
            case QueuedJob queued -> true;
            case IneligibleJob ineligible -> !isBeingSubmitted(ineligible);
            case RunningJob running -> isShrunk(running);
            case null -> false;
        };
    }

    /** It waits for its submission, which its own state shows, and not for this service. */
    private static boolean isBeingSubmitted(final IneligibleJob job) {
        return VetoCode.SUBMISSION_IN_PROGRESS.isOf(job.veto());
    }

    private static boolean isShrunk(final RunningJob job) {
        return job.startBasis().preemptible() || job.startBasis().shrunkEnd_s() < ShadowTime.NEVER;
    }

    /** The plans of queued jobs are published with their estimates. */
    private void publishUnlessQueued(final JobKey job, final Changes changes) {
        switch (queue.role(job)) {
            case QueuedJob queued -> {}
            case IneligibleJob ineligible when isBeingSubmitted(ineligible) -> plans.withdraw(job, changes);
            case IneligibleJob ineligible -> plans.publish(PlanEvents.ineligible(ineligible), changes);
            case RunningJob running
            when isShrunk(running) ->
                plans.publish(PlanEvents.shrunk(job, running.startBasis().shrunkEnd_s()), changes);
            case RunningJob running -> plans.withdraw(job, changes);
            case null -> plans.withdraw(job, changes);
        }
    }

    /** Publishes the same veto for every queued job. */
    private void publishBlocked(final Veto veto, final Set<JobKey> changed, final Changes changes) {
        planner.reset();
        estimates.forget();
        if (veto.equals(blockedBy)) {
            changed.stream()
                    .map(queue::role)
                    .filter(Objects::nonNull)
                    .forEach(role -> publishBlocked(role, veto, changes));
        } else {
            queue.roles().forEach(role -> publishBlocked(role, veto, changes));
        }
    }

    private void publishBlocked(final JobRole role, final Veto veto, final Changes changes) {
        if (role instanceof QueuedJob job) {
            plans.publish(PlanEvents.ineligible(new IneligibleJob(job.job(), veto)), changes);
        }
    }

    private Schedule plan(
            final Set<JobKey> changed, final RunTimeHistory history, final long now_s, final Changes changes) {
        final Schedule schedule = planner.plan(changed, history, now_s);
        displaced.update(schedule, this::waits);
        schedule.starts().forEach(start -> started(start, changes));
        schedule.preemptions()
                .forEach(preemption ->
                        retained.addBeneficiary(preemption.beneficiary().head().job()));
        setHead(schedule.reservation());
        retained.setReservations(schedule.reservations());
        publishWaiting(schedule, now_s, changes);
        return schedule;
    }

    private boolean waits(final JobKey job) {
        final PlannedJob planned = planner.planned(job);
        return planned != null && !planned.isRunning() && queue.role(job) instanceof QueuedJob;
    }

    private void started(final Start start, final Changes changes) {
        final JobKey job = start.job().job();
        if (start.isShrunk()) {
            retained.shrunk(job, Instant.ofEpochSecond(start.shrunkEnd_s()));
            plans.publish(PlanEvents.shrunk(job, start.shrunkEnd_s()), changes);
        } else {
            plans.withdraw(job, changes);
        }
        dirty.jobChanged(job);
    }

    private void setHead(final @Nullable Reservation reservation) {
        final JobKey before = retained.head();
        final JobKey head = reservation == null ? null : reservation.head().job();
        if (!Objects.equals(before, head)) {
            retained.head(head);
            if (before != null) {
                dirty.jobChanged(before);
            }
            if (head != null) {
                dirty.jobChanged(head);
            }
        }
    }

    private void publishWaiting(final Schedule schedule, final long now_s, final Changes changes) {
        final BackfillPlanner backfill = planner.planner();
        final PassSnapshot pass = new PassSnapshot(
                backfill.freeCapacity(), queue.coresUp(), schedule.reservation(), displaced.displacers(), now_s);
        if (planner.changedEverything() || !estimates.isValidFor(pass)) {
            estimates.restart(pass, queue.running(), schedule.starts());
        } else {
            planner.queueChanges().forEach(job -> estimates.discardFrom(job, backfill.waitingQueue()));
        }
        estimates.project(
                pass,
                backfill.waitingQueue(),
                (job, place, start_s) -> plans.publishWaiting(job, place, start_s, pass, changes));
    }
}
