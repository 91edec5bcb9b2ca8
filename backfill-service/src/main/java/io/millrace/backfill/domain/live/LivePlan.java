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
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.view.Changes;
import io.millrace.model.view.ClusterView;
import io.millrace.model.view.CommandView;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a live cluster, kept up to date: who starts, who is cut, and what those that wait are told. A pass costs what has changed since the one
 * before: jobs that were {@link DirtyJobs}, then those behind the first change in order, whose predicted starts it may move; and says only what is new.
 * Not thread-safe.
 */
public final class LivePlan {

    private final DirtyJobs touched;
    private final RetainedState remembered;
    private final LiveQueue queue;
    private final LivePlanner planner;
    private final DisplacedReservations displacements = new DisplacedReservations();
    private final StartEstimates outlook = new StartEstimates();
    private final PublishedPlans board;
    /** Why nothing could be started at the last pass; null if something could. */
    private @Nullable Veto closed;
    /** Whether what stands on the log is of this plan's own making throughout. */
    private boolean everythingSaid;

    /** @param touched hears of changes in what is observed and commanded; what else changes, {@link #markDirty} tells */
    public LivePlan(
            final ClusterView observed,
            final CommandView commands,
            final DirtyJobs touched,
            final Map<JobKey, Entitlement> entitlements,
            final RetainedState remembered,
            final SiteSettings site,
            final StartSettings starts,
            final BackfillPolicy policy) {
        this.touched = touched;
        this.remembered = remembered;
        this.queue = new LiveQueue(observed, commands, touched, entitlements, remembered, site, starts);
        this.planner = new LivePlanner(policy, queue, remembered);
        this.board = new PublishedPlans(observed.cluster());
    }

    /** Something is known of a job that was not known before. */
    public void markDirty(final JobKey job) {
        touched.jobChanged(job);
    }

    /** Takes what was said in a former life; null is a tombstone. */
    public void replay(final String key, final @Nullable Plan plan) {
        board.replay(key, plan);
    }

    /** The next pass looks at everything again. */
    public void reset() {
        touched.markAll();
        planner.reset();
        outlook.forget();
        closed = null;
        everythingSaid = false;
    }

    /** Nothing is planned here: takes off all that was said. */
    public void withdrawAll(final Changes changes) {
        reset();
        board.keepOnly(job -> false, changes);
    }

    /** When a pause ends; empty if only news can change the plan. */
    public Optional<Instant> replanAt() {
        return queue.replanAt();
    }

    /**
     * One pass; adds to {@code changes} what jobs are told.
     *
     * @return what was decided; empty if nothing may be started here now
     * @throws NullPointerException if no revision of the cluster was closed yet
     */
    public Optional<Schedule> pass(final RunTimeHistory history, final Instant now, final Changes changes) {
        final Set<JobKey> changed = queue.update(now);
        if (!everythingSaid) {
            board.keepOnly(job -> isTold(queue.role(job)), changes);
        }
        changed.forEach(job -> tellIfAside(job, changes));
        final @Nullable Veto veto = queue.blockingVeto().orElse(null);
        final Optional<Schedule> schedule;
        if (veto != null) {
            allWait(veto, changed, changes);
            schedule = Optional.empty();
        } else {
            schedule = Optional.of(plan(changed, history, now.getEpochSecond(), changes));
        }
        closed = veto;
        everythingSaid = true;
        return schedule;
    }

    private static boolean isTold(final @Nullable JobRole role) {
        return switch (role) {
            case QueuedJob waits -> true;
            case IneligibleJob aside -> true;
            case RunningJob runs -> isShrunk(runs);
            case null -> false;
        };
    }

    private static boolean isShrunk(final RunningJob job) {
        return job.startBasis().preemptible() || job.startBasis().shrunkEnd_s() < ShadowTime.NEVER;
    }

    /** Those that wait are told by the outlook. */
    private void tellIfAside(final JobKey job, final Changes changes) {
        switch (queue.role(job)) {
            case QueuedJob waits -> {}
            case IneligibleJob aside -> board.publish(PlanEvents.ineligible(aside), changes);
            case RunningJob runs
            when isShrunk(runs) -> board.publish(PlanEvents.shrunk(job, runs.startBasis().shrunkEnd_s()), changes);
            case RunningJob runs -> board.withdraw(job, changes);
            case null -> board.withdraw(job, changes);
        }
    }

    /** Every job that would take part waits for that. */
    private void allWait(final Veto veto, final Set<JobKey> changed, final Changes changes) {
        planner.reset();
        outlook.forget();
        if (veto.equals(closed)) {
            changed.stream().map(queue::role).filter(Objects::nonNull).forEach(role -> wait(role, veto, changes));
        } else {
            queue.roles().forEach(role -> wait(role, veto, changes));
        }
    }

    private void wait(final JobRole role, final Veto veto, final Changes changes) {
        if (role instanceof QueuedJob job) {
            board.publish(PlanEvents.ineligible(new IneligibleJob(job.job(), veto)), changes);
        }
    }

    private Schedule plan(final Set<JobKey> changed, final RunTimeHistory history, final long now_s, final Changes changes) {
        final Schedule schedule = planner.plan(changed, history, now_s);
        displacements.update(schedule, this::waits);
        schedule.starts().forEach(start -> started(start, changes));
        schedule.preemptions().forEach(cut -> remembered.addBeneficiary(cut.beneficiary().head().job()));
        hold(schedule.reservation());
        remembered.setReservations(schedule.reservations());
        tellThoseThatWait(schedule, now_s, changes);
        return schedule;
    }

    private boolean waits(final JobKey job) {
        final PlannedJob planned = planner.planned(job);
        return planned != null && !planned.isRunning() && queue.role(job) instanceof QueuedJob;
    }

    private void started(final Start start, final Changes changes) {
        final JobKey job = start.job().job();
        if (start.isShrunk()) {
            remembered.shrunk(job, Instant.ofEpochSecond(start.shrunkEnd_s()));
            board.publish(PlanEvents.shrunk(job, start.shrunkEnd_s()), changes);
        } else {
            board.withdraw(job, changes);
        }
        touched.jobChanged(job);
    }

    private void hold(final @Nullable Reservation reservation) {
        final JobKey before = remembered.head();
        final JobKey head = reservation == null ? null : reservation.head().job();
        if (!Objects.equals(before, head)) {
            remembered.head(head);
            if (before != null) {
                touched.jobChanged(before);
            }
            if (head != null) {
                touched.jobChanged(head);
            }
        }
    }

    private void tellThoseThatWait(final Schedule schedule, final long now_s, final Changes changes) {
        final BackfillPlanner books = planner.planner();
        final PassSnapshot moment =
                new PassSnapshot(books.freeCapacity(), queue.coresUp(), schedule.reservation(), displacements.displacers(), now_s);
        if (planner.changedEverything() || !outlook.isValidFor(moment)) {
            outlook.restart(moment, queue.running(), schedule.starts());
        } else {
            planner.queueChanges().forEach(job -> outlook.discardFrom(job, books.waitingQueue()));
        }
        outlook.projectFrom(moment, books.waitingQueue(), (job, place, start_s) -> board.publishWaiting(job, place, start_s, moment, changes));
    }
}
