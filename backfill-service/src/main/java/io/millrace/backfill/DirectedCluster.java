package io.millrace.backfill;

import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.Start;
import io.millrace.backfill.domain.live.DirtyJobs;
import io.millrace.backfill.domain.live.LivePlan;
import io.millrace.backfill.domain.live.PlanCommands;
import io.millrace.backfill.domain.live.RetainedState;
import io.millrace.backfill.domain.planner.Schedule;
import io.millrace.decide.Changes;
import io.millrace.decide.CommandView;
import io.millrace.decide.FollowedCluster;
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
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state of backfill-service for one cluster: its view, commands, entitlements and plan. */
final class DirectedCluster {

    private final ClusterId cluster;
    private final PlannerSettings settings;
    private final FollowedCluster followed;
    private final Map<JobKey, Entitlement> entitlements = new HashMap<>();
    private final RetainedState retained = new RetainedState();
    private final LivePlan plan;
    private Optional<Instant> replanAt = Optional.empty();
    private long closedRevision = -1;

    DirectedCluster(final ClusterId cluster, final PlannerSettings settings) {
        this.cluster = cluster;
        this.settings = settings;
        final DirtyJobs dirty = new DirtyJobs();
        this.followed = new FollowedCluster(cluster, Issuer.BACKFILL, dirty);
        this.plan = new LivePlan(
                followed.view(),
                followed.commands(),
                dirty,
                entitlements,
                retained,
                settings.site(cluster),
                settings.starts(),
                settings.policy());
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
        retained.classified(job, jobClass);
        plan.markDirty(job);
    }

    void expected(final JobKey job, final Duration run) {
        retained.expected(job, run);
        plan.markDirty(job);
    }

    void replayed(final String key, final @Nullable Plan published) {
        plan.replay(key, published);
        final JobKey job = JobKey.of(key.substring(0, key.lastIndexOf('/')));
        retained.forget(job);
        if (published == null) {
            return;
        }
        if (published.shortenedEnd() != null) {
            retained.shrunk(job, published.shortenedEnd());
        }
        if (published.isGoingFirst()) {
            retained.addBeneficiary(job);
        }
        if (published.isReserved()) {
            retained.head(job);
            if (published.predictedStart() != null) {
                retained.addReservation(job, published.predictedStart());
            }
        }
    }

    void replayed(final PlanClosed closed) {
        closedRevision = closed.revision();
    }

    Optional<Instant> replanAt() {
        return replanAt;
    }

    /** Makes the next pass start from scratch. */
    void reset() {
        plan.reset();
    }

    /** Adds commands and changed plans to {@code changes}, if the views have changed or a back-off has ended. */
    void decide(final RunTimeHistory history, final Instant now, final Changes changes) {
        final boolean isDue = replanAt.map(at -> !at.isAfter(now)).orElse(false);
        final RevisionClosed marker = followed.view().marker();
        if (marker == null || !followed.takeChanged() && !isDue) {
            return;
        }
        followed.commands().forgetBefore(now);
        replanAt = Optional.empty();
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

    private int direct(
            final RevisionClosed marker, final RunTimeHistory history, final Instant now, final Changes changes) {
        final Optional<Schedule> decided = plan.pass(history, now, changes);
        if (decided.isEmpty()) {
            return 0;
        }
        final Schedule schedule = decided.get();
        replanAt = earlier(plan.replanAt(), schedule.replanAt(), now);
        final PlanCommands commands = new PlanCommands(marker, followed.commands(), settings.starts(), now);
        byJob(schedule.starts()).forEach(starts -> issue(commands.start(starts), changes));
        schedule.preemptions()
                .forEach(preemption -> issue(commands.preempt(preemption, running(preemption.job())), changes));
        return schedule.starts().size();
    }

    /** The tasks of an array start by one command. */
    private static Collection<List<Start>> byJob(final List<Start> starts) {
        return starts.stream()
                .collect(Collectors.groupingBy(start -> start.job().job(), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private JobObserved running(final JobKey job) {
        return Objects.requireNonNull(followed.view().job(job), "only an observed job can be preempted");
    }

    private void issue(final Command command, final Changes changes) {
        changes.put(command);
        followed.commands().apply(command, CommandView.NOT_YET_KNOWN);
    }

    /** At least a second from now, so that an overdue reservation causes one pass per second until a job ends. */
    private static Optional<Instant> earlier(
            final Optional<Instant> backoffEnd, final ShadowTime due, final Instant now) {
        final Instant dueAt = due.instant();
        if (dueAt == null) {
            return backoffEnd;
        }
        final Instant soonest = now.plusSeconds(1);
        final Instant at = dueAt.isBefore(soonest) ? soonest : dueAt;
        return Optional.of(backoffEnd.isPresent() && backoffEnd.get().isBefore(at) ? backoffEnd.get() : at);
    }
}
