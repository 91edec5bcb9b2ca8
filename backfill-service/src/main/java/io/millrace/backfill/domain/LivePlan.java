package io.millrace.backfill.domain;

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
 * before: jobs that were {@link Touched}, then those behind the first change in order, whose predicted starts it may move; and says only what is new.
 * Not thread-safe.
 */
public final class LivePlan {

    private final Touched touched;
    private final Remembered remembered;
    private final LiveQueue queue;
    private final LivePlanner planner;
    private final Displacements displacements = new Displacements();
    private final Outlook outlook = new Outlook();
    private final PlanBoard board;
    /** Why nothing could be started at the last pass; null if something could. */
    private @Nullable Veto closed;
    /** Whether what stands on the log is of this plan's own making throughout. */
    private boolean everythingSaid;

    /** @param touched hears of changes in what is observed and commanded; what else changes, {@link #touch} tells */
    public LivePlan(
            final ClusterView observed,
            final CommandView commands,
            final Touched touched,
            final Map<JobKey, Entitlement> entitlements,
            final Remembered remembered,
            final Site site,
            final StartRules starts,
            final BackfillPolicy policy) {
        this.touched = touched;
        this.remembered = remembered;
        this.queue = new LiveQueue(observed, commands, touched, entitlements, remembered, site, starts);
        this.planner = new LivePlanner(policy, queue, remembered);
        this.board = new PlanBoard(observed.cluster());
    }

    /** Something is known of a job that was not known before. */
    public void touch(final JobKey job) {
        touched.jobChanged(job);
    }

    /** Takes what was said in a former life; null is a tombstone. */
    public void replay(final String key, final @Nullable Plan plan) {
        board.replay(key, plan);
    }

    /** The next pass looks at everything again. */
    public void forget() {
        touched.everything();
        planner.forget();
        outlook.forget();
        closed = null;
        everythingSaid = false;
    }

    /** Nothing is planned here: takes off all that was said. */
    public void close(final Changes changes) {
        forget();
        board.keepOnly(job -> false, changes);
    }

    /** When a pause ends; empty if only news can change the plan. */
    public Optional<Instant> lookAgain() {
        return queue.lookAgain();
    }

    /**
     * One pass; adds to {@code changes} what jobs are told.
     *
     * @return what was decided; empty if nothing may be started here now
     * @throws NullPointerException if no revision of the cluster was closed yet
     */
    public Optional<Schedule> pass(final RunTimes history, final Instant now, final Changes changes) {
        final Set<JobKey> changed = queue.look(now);
        if (!everythingSaid) {
            board.keepOnly(job -> isTold(queue.role(job)), changes);
        }
        changed.forEach(job -> tellIfAside(job, changes));
        final @Nullable Veto veto = queue.closed().orElse(null);
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

    private static boolean isTold(final @Nullable Role role) {
        return switch (role) {
            case QueuedJob waits -> true;
            case Barred aside -> true;
            case RunningJob runs -> isShrunk(runs);
            case null -> false;
        };
    }

    private static boolean isShrunk(final RunningJob job) {
        return job.how().cuttable() || job.how().shrunkEnd_s() < ShadowTime.NEVER;
    }

    /** Those that wait are told by the outlook. */
    private void tellIfAside(final JobKey job, final Changes changes) {
        switch (queue.role(job)) {
            case QueuedJob waits -> {}
            case Barred aside -> board.say(Plans.aside(aside), changes);
            case RunningJob runs
            when isShrunk(runs) -> board.say(Plans.shrunk(job, runs.how().shrunkEnd_s()), changes);
            case RunningJob runs -> board.nothing(job, changes);
            case null -> board.nothing(job, changes);
        }
    }

    /** Every job that would take part waits for that. */
    private void allWait(final Veto veto, final Set<JobKey> changed, final Changes changes) {
        planner.forget();
        outlook.forget();
        if (veto.equals(closed)) {
            changed.stream().map(queue::role).filter(Objects::nonNull).forEach(role -> wait(role, veto, changes));
        } else {
            queue.roles().forEach(role -> wait(role, veto, changes));
        }
    }

    private void wait(final Role role, final Veto veto, final Changes changes) {
        if (role instanceof QueuedJob job) {
            board.say(Plans.aside(new Barred(job.job(), veto)), changes);
        }
    }

    private Schedule plan(final Set<JobKey> changed, final RunTimes history, final long now_s, final Changes changes) {
        final Schedule schedule = planner.plan(changed, history, now_s);
        displacements.note(schedule, this::waits);
        schedule.starts().forEach(start -> started(start, changes));
        schedule.cuts().forEach(cut -> remembered.first(cut.due().head().job()));
        hold(schedule.reservation());
        remembered.promised(schedule.reservations());
        tellThoseThatWait(schedule, now_s, changes);
        return schedule;
    }

    private boolean waits(final JobKey job) {
        final PlannedJob planned = planner.planned(job);
        return planned != null && !planned.isOnItsCores() && queue.role(job) instanceof QueuedJob;
    }

    private void started(final Start start, final Changes changes) {
        final JobKey job = start.job().job();
        if (start.isShrunk()) {
            remembered.shrunk(job, Instant.ofEpochSecond(start.shrunkEnd_s()));
            board.say(Plans.shrunk(job, start.shrunkEnd_s()), changes);
        } else {
            board.nothing(job, changes);
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
        final BackfillPlanner books = planner.books();
        final Moment moment =
                new Moment(books.room(), queue.coresUp(), schedule.reservation(), displacements.byJob(), now_s);
        if (planner.isAnew() || !outlook.holdsFor(moment)) {
            outlook.begin(moment, queue.running(), schedule.starts());
        } else {
            planner.changes().forEach(job -> outlook.changedAt(job, books.line()));
        }
        outlook.sweep(moment, books.line(), (job, place, start_s) -> board.waits(job, place, start_s, moment, changes));
    }
}
