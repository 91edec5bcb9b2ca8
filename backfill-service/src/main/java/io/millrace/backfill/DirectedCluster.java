package io.millrace.backfill;

import io.millrace.backfill.domain.BackfillPlanner;
import io.millrace.backfill.domain.Cut;
import io.millrace.backfill.domain.CutCommand;
import io.millrace.backfill.domain.Displacements;
import io.millrace.backfill.domain.Forecast;
import io.millrace.backfill.domain.LiveQueue;
import io.millrace.backfill.domain.Outlook;
import io.millrace.backfill.domain.Plans;
import io.millrace.backfill.domain.QueueView;
import io.millrace.backfill.domain.Remembered;
import io.millrace.backfill.domain.RunTimes;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.StartCommand;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.protocol.Topic;
import io.millrace.model.view.Changes;
import io.millrace.model.view.CommandView;
import io.millrace.model.view.FollowedCluster;
import io.millrace.model.view.Published;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One cluster as backfill-service remembers it: its view, its commands, the rights of its jobs, and what was said about it. */
final class DirectedCluster {

    private final ClusterId cluster;
    private final FollowedCluster followed;
    private final Map<JobKey, Entitlement> entitlements = new HashMap<>();
    private final Displacements displacements = new Displacements();
    private final Published<Plan> plans = new Published<>();
    private final Remembered remembered = new Remembered();
    private Optional<Instant> lookAgain = Optional.empty();
    private long closedRevision = -1;

    DirectedCluster(final ClusterId cluster) {
        this.cluster = cluster;
        this.followed = new FollowedCluster(cluster);
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
        followed.heard();
    }

    void classified(final JobKey job, final String jobClass) {
        remembered.classified(job, jobClass);
    }

    void replayed(final String key, final @Nullable Plan plan) {
        plans.replay(key, plan);
        final JobKey job = JobKey.of(key.substring(0, key.lastIndexOf('/')));
        remembered.forget(job);
        if (plan != null && plan.shrunkEnd() != null) {
            remembered.shrunk(job, plan.shrunkEnd());
        }
        if (plan != null && plan.first()) {
            remembered.first(job);
        }
        if (plan != null && plan.holdsReservation()) {
            remembered.head(job);
        }
    }

    void replayed(final PlanClosed closed) {
        closedRevision = closed.revision();
    }

    Optional<Instant> lookAgain() {
        return lookAgain;
    }

    /** Adds to {@code changes} what is new; nothing if nothing was heard and no pause has ended. */
    void decide(final Rules rules, final RunTimes history, final Instant now, final Changes changes) {
        final boolean pauseOver = lookAgain.map(at -> !at.isAfter(now)).orElse(false);
        final RevisionClosed marker = followed.view().marker();
        if (marker == null || !followed.takeNews() && !pauseOver) {
            return;
        }
        followed.commands().forgetBefore(now);
        lookAgain = Optional.empty();
        int starts = 0;
        if (marker.control() == Control.DIRECTED) {
            starts = direct(rules, history, now, changes);
        } else {
            publish(List.of(), changes);
        }
        if (marker.revision() != closedRevision) {
            closedRevision = marker.revision();
            changes.put(new PlanClosed(cluster, Issuer.BACKFILL, marker.revision(), now, waiting(), starts));
        }
    }

    private int direct(final Rules rules, final RunTimes history, final Instant now, final Changes changes) {
        final LiveQueue queue = new LiveQueue(
                followed.view(),
                followed.commands(),
                entitlements,
                remembered,
                rules.site(cluster),
                rules.starts(),
                now);
        final Optional<Veto> closed = queue.closed();
        if (closed.isPresent()) {
            publish(Plans.allWait(queue, closed.get()), changes);
            return 0;
        }
        final QueueView seen = queue.view();
        final Schedule schedule = BackfillPlanner.plan(seen, rules.policy(), history, now.getEpochSecond());
        displacements.note(schedule);
        remembered.head(
                schedule.reservation() == null
                        ? null
                        : schedule.reservation().head().job());
        lookAgain = sooner(queue.lookAgain(), schedule.lookAgain(), now);
        schedule.starts().forEach(start -> start(start, queue, rules, now, changes));
        schedule.cuts().forEach(cut -> cut(cut, queue, rules, now, changes));
        final List<Forecast> outlook = Outlook.of(seen, schedule, displacements.byJob(), now.getEpochSecond());
        publish(Plans.of(outlook, queue.barred(), seen, schedule), changes);
        return schedule.starts().size();
    }

    private void start(
            final Start start, final LiveQueue queue, final Rules rules, final Instant now, final Changes changes) {
        say(StartCommand.of(start, queue.marker(), followed.commands(), rules.starts(), now), changes);
        if (start.isShrunk()) {
            remembered.shrunk(start.job().job(), Instant.ofEpochSecond(start.shrunkEnd_s()));
        }
    }

    private void cut(
            final Cut cut, final LiveQueue queue, final Rules rules, final Instant now, final Changes changes) {
        final JobObserved job = Objects.requireNonNull(followed.view().job(cut.job()), "who is cut was seen to run");
        say(CutCommand.of(cut, job, queue.marker(), followed.commands(), rules.starts(), now), changes);
        remembered.first(cut.due().head().job());
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

    private void publish(final List<Plan> wanted, final Changes changes) {
        changes.add(Topic.PLANS, plans.become(wanted, Plans::asGood), cluster);
    }

    private int waiting() {
        return (int) followed.view().jobs().stream()
                .filter(job -> job.state().isWaiting())
                .count();
    }
}
