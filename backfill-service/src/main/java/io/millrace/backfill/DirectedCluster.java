package io.millrace.backfill;

import io.millrace.backfill.domain.job.CheckpointPreemption;
import io.millrace.backfill.domain.live.CheckpointPreemptionCommands;
import io.millrace.backfill.domain.live.LivePlan;
import io.millrace.backfill.domain.live.RetainedState;
import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.planner.Schedule;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.Start;
import io.millrace.backfill.domain.live.StartCommands;
import io.millrace.backfill.domain.live.DirtyJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.view.Changes;
import io.millrace.model.view.CommandView;
import io.millrace.model.view.FollowedCluster;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One cluster as backfill-service remembers it: its view, its commands, the rights of its jobs, and what was said about it. */
final class DirectedCluster {

    private final ClusterId cluster;
    private final PlannerSettings rules;
    private final FollowedCluster followed;
    private final Map<JobKey, Entitlement> entitlements = new HashMap<>();
    private final RetainedState remembered = new RetainedState();
    private final LivePlan plan;
    private Optional<Instant> lookAgain = Optional.empty();
    private long closedRevision = -1;

    DirectedCluster(final ClusterId cluster, final PlannerSettings rules) {
        this.cluster = cluster;
        this.rules = rules;
        final DirtyJobs touched = new DirtyJobs();
        this.followed = new FollowedCluster(cluster, touched);
        this.plan = new LivePlan(
                followed.view(),
                followed.commands(),
                touched,
                entitlements,
                remembered,
                rules.site(cluster),
                rules.starts(),
                rules.policy());
    }

    FollowedCluster followed() {
        return followed;
    }

    void entitled(final JobKey job, final @Nullable Entitlement entitlement) {
        if (entitlement == null) {
            entitlements.remove(job);
        } else {
            entitlements.put(job, entitlement);
        }
        plan.markDirty(job);
        followed.markChanged();
    }

    void classified(final JobKey job, final String jobClass) {
        remembered.classified(job, jobClass);
        plan.markDirty(job);
    }

    void replayed(final String key, final @Nullable Plan said) {
        plan.replay(key, said);
        final JobKey job = JobKey.of(key.substring(0, key.lastIndexOf('/')));
        remembered.forget(job);
        if (said != null && said.shortenedEnd() != null) {
            remembered.shrunk(job, said.shortenedEnd());
        }
        if (said != null && said.isGoingFirst()) {
            remembered.addBeneficiary(job);
        }
        if (said != null && said.isReserved()) {
            remembered.head(job);
            if (said.predictedStart() != null) {
                remembered.addReservation(job, said.predictedStart());
            }
        }
    }

    void replayed(final PlanClosed closed) {
        closedRevision = closed.revision();
    }

    Optional<Instant> lookAgain() {
        return lookAgain;
    }

    /** Makes the next decision from scratch; it should be the same. */
    void forgetBooks() {
        plan.reset();
    }

    /** Adds to {@code changes} what is new; nothing if nothing was heard and no pause has ended. */
    void decide(final RunTimeHistory history, final Instant now, final Changes changes) {
        final boolean pauseOver = lookAgain.map(at -> !at.isAfter(now)).orElse(false);
        final RevisionClosed marker = followed.view().marker();
        if (marker == null || !followed.takeChanged() && !pauseOver) {
            return;
        }
        followed.commands().forgetBefore(now);
        lookAgain = Optional.empty();
        int starts = 0;
        if (marker.control() == Control.DIRECTED) {
            starts = direct(marker, history, now, changes);
        } else {
            plan.withdrawAll(changes);
        }
        if (marker.revision() != closedRevision) {
            closedRevision = marker.revision();
            changes.put(new PlanClosed(
                    cluster,
                    Issuer.BACKFILL,
                    marker.revision(),
                    now,
                    followed.view().waiting(),
                    starts));
        }
    }

    private int direct(final RevisionClosed marker, final RunTimeHistory history, final Instant now, final Changes changes) {
        final Optional<Schedule> decided = plan.pass(history, now, changes);
        if (decided.isEmpty()) {
            return 0;
        }
        final Schedule schedule = decided.get();
        lookAgain = sooner(plan.replanAt(), schedule.replanAt(), now);
        schedule.starts().forEach(start -> start(start, marker, now, changes));
        schedule.preemptions().forEach(cut -> cut(cut, marker, now, changes));
        return schedule.starts().size();
    }

    private void start(final Start start, final RevisionClosed marker, final Instant now, final Changes changes) {
        say(StartCommands.of(start, marker, followed.commands(), rules.starts(), now), changes);
    }

    private void cut(final CheckpointPreemption cut, final RevisionClosed marker, final Instant now, final Changes changes) {
        final JobObserved job = Objects.requireNonNull(followed.view().job(cut.job()), "who is cut was seen to run");
        say(CheckpointPreemptionCommands.of(cut, job, marker, followed.commands(), rules.starts(), now), changes);
    }

    private void say(final Command command, final Changes changes) {
        changes.put(command);
        followed.commands().apply(command, CommandView.NOT_YET_KNOWN);
    }

    /** Never at once again: what is overdue is looked at once a second, until somebody ends. */
    private static Optional<Instant> sooner(final Optional<Instant> pause, final ShadowTime due, final Instant now) {
        final Instant foreseen = due.instant();
        if (foreseen == null) {
            return pause;
        }
        final Instant soonest = now.plusSeconds(1);
        final Instant at = foreseen.isBefore(soonest) ? soonest : foreseen;
        return Optional.of(pause.isPresent() && pause.get().isBefore(at) ? pause.get() : at);
    }
}
