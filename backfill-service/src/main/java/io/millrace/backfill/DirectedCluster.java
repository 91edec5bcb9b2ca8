package io.millrace.backfill;

import io.millrace.backfill.domain.RunTimeHistory;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.plan.BackfillPlanner;
import io.millrace.backfill.domain.plan.PlanCommands;
import io.millrace.backfill.domain.view.Commitments;
import io.millrace.backfill.domain.view.QueueView;
import io.millrace.decide.Changes;
import io.millrace.decide.CommandView;
import io.millrace.decide.FollowedCluster;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanClosed;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One cluster in backfill-service: its view, what earlier plans promise, and the published plans. */
final class DirectedCluster {

    private final ClusterId cluster;
    private final PlannerSettings settings;
    private final Commitments commitments = new Commitments();
    private final QueueView view;
    private final JobPlans plans;
    private Optional<Instant> replanAt = Optional.empty();
    private long closedRevision = -1;

    DirectedCluster(final ClusterId cluster, final PlannerSettings settings) {
        this.cluster = cluster;
        this.settings = settings;
        this.view = new QueueView(cluster, settings.policy().order(), commitments, settings.site(cluster));
        this.plans = new JobPlans(cluster, settings.policy());
    }

    FollowedCluster followed() {
        return view.followed();
    }

    QueueView view() {
        return view;
    }

    void replayed(final JobKey job, final @Nullable Plan plan) {
        plans.replayed(job, plan);
        commitments.replayed(job, plan);
    }

    void replayed(final PlanClosed closed) {
        closedRevision = closed.revision();
    }

    Optional<Instant> replanAt() {
        return replanAt;
    }

    /** Adds commands and changed plans to {@code changes}, if the view has changed or a decision is due. */
    void decide(final RunTimeHistory history, final Instant now, final Changes changes) {
        final boolean isDue = replanAt.map(at -> !at.isAfter(now)).orElse(false);
        final RevisionClosed marker = followed().view().marker();
        if (marker == null || !followed().takeChanged() && !isDue) {
            return;
        }
        followed().commands().forgetBefore(now);
        replanAt = Optional.empty();
        int starts = 0;
        if (marker.control() == Control.DIRECTED) {
            view.update(now);
            starts = direct(history, now, changes);
        } else {
            view.pause();
            plans.withdrawAll(changes);
        }
        if (marker.revision() != closedRevision) {
            closedRevision = marker.revision();
            changes.put(new PlanClosed(
                    cluster,
                    Issuer.BACKFILL,
                    marker.revision(),
                    now,
                    followed().view().waiting(),
                    starts));
        }
    }

    /** @return the number of started jobs and tasks */
    private int direct(final RunTimeHistory history, final Instant now, final Changes changes) {
        final Optional<Veto> blocked = view.blockingVeto(now);
        if (blocked.isPresent()) {
            replanAt = plans.publishBlocked(view.roles(), blocked.get(), now, changes);
            return 0;
        }
        final QueueSnapshot queue = view.snapshot(commitments.promises());
        final Schedule schedule = BackfillPlanner.plan(queue, settings.policy(), history, now.getEpochSecond());
        commitments.decided(schedule);
        schedule.starts().forEach(start -> view.started(start.job().job()));
        schedule.preemptions().forEach(preemption -> history.preempted());
        final Optional<Instant> forecastAt = plans.publish(view.roles(), queue, schedule, commitments, now, changes);
        replanAt = Stream.of(view.replanAt(), due(schedule.replanAt(), now), forecastAt)
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
        issue(schedule, now, changes);
        return schedule.starts().size();
    }

    /** At least a second from now, so that an overdue reservation causes one pass per second until a job ends. */
    private static Optional<Instant> due(final ShadowTime decision, final Instant now) {
        final Instant soonest = now.plusSeconds(1);
        return Optional.ofNullable(decision.instant()).map(at -> at.isBefore(soonest) ? soonest : at);
    }

    private void issue(final Schedule schedule, final Instant now, final Changes changes) {
        final PlanCommands commands = new PlanCommands(view.marker(), followed().commands(), now);
        byJob(schedule.starts()).forEach(starts -> issue(commands.start(starts), changes));
        schedule.preemptions()
                .forEach(preemption -> issue(commands.preempt(preemption, running(preemption.job())), changes));
    }

    /** The tasks of an array start by one command. */
    private static Collection<List<Start>> byJob(final List<Start> starts) {
        return starts.stream()
                .collect(Collectors.groupingBy(start -> start.job().job(), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private JobObserved running(final JobKey job) {
        return Objects.requireNonNull(followed().view().job(job), "only an observed job can be preempted");
    }

    private void issue(final Command command, final Changes changes) {
        changes.put(command);
        followed().commands().apply(command, CommandView.NOT_YET_KNOWN);
    }
}
