package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPlanner;
import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.Cutting;
import io.millrace.backfill.domain.Decisions;
import io.millrace.backfill.domain.Estimate;
import io.millrace.backfill.domain.PlannedJob;
import io.millrace.backfill.domain.QueueView;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.RunTimes;
import io.millrace.backfill.domain.ShadowTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** backfill-service's planner as the scheduler of a virtual cluster. */
public final class BackfillScheduler implements ClusterScheduler {

    private final BackfillPolicy policy;
    private final BackfillPlanner planner;
    private final boolean endsByLimits;
    private final Map<QueuedJob, SimulatedJob> waiting = new IdentityHashMap<>();
    private final Map<SimulatedJob, PlannedJob> running = new HashMap<>();
    private @Nullable QueuedJob head;
    private @Nullable SimulatedJob headJob;

    /** @param endsByLimits whether a job whose requested time is over counts as gone before its completion is told, as in pyss */
    public BackfillScheduler(final int cores, final BackfillPolicy policy, final boolean endsByLimits) {
        this.policy = policy;
        this.endsByLimits = endsByLimits
                && (policy.reservations() <= 1 || policy.reservations() == BackfillPolicy.ALL)
                && policy.estimate() == Estimate.REQUESTED
                && policy.cutting() == null;
        this.planner = new BackfillPlanner(policy, QueueView.ofCores(cores, List.of(), List.of()), new RunTimes());
    }

    @Override
    public void submitted(final SimulatedJob job, final long now_s) {
        waiting.put(job.queued(), job);
        planner.queue(job.queued());
    }

    @Override
    public void ended(final SimulatedJob job, final long now_s) {
        leave(job, now_s);
        planner.learn(job.queued().traits(), job.run_s(), job.requested_s());
    }

    @Override
    public void cutOff(final SimulatedJob job, final long now_s) {
        leave(job, now_s);
    }

    private void leave(final SimulatedJob job, final long now_s) {
        final PlannedJob planned = Objects.requireNonNull(running.remove(job), "it ran");
        if (planned.isOnItsCores()) {
            planner.end(planned, now_s);
        } else {
            planner.tryAllAgain();
        }
    }

    @Override
    public void coresChanged(final int by, final long now_s) {
        planner.changeCores(by, now_s);
    }

    @Override
    public Orders decide(final long now_s) {
        dropOverdue(now_s);
        final Decisions decisions = planner.decide(now_s);
        if (!decisions.reservations().isEmpty()) {
            promise(decisions.reservations().getFirst());
        }
        if (decisions.started().isEmpty() && decisions.cut().isEmpty()) {
            return decisions.lookAgain_s() >= ShadowTime.NEVER
                    ? Orders.NONE
                    : new Orders(List.of(), List.of(), decisions.lookAgain_s());
        }
        final List<SimulatedJob> starts = new ArrayList<>(decisions.started().size());
        for (final PlannedJob planned : decisions.started()) {
            final SimulatedJob job = Objects.requireNonNull(
                    waiting.remove(planned.job()), "the planner started a job that does not wait");
            running.put(job, planned);
            starts.add(job);
        }
        final long lookAgain = decisions.lookAgain_s() >= ShadowTime.NEVER ? Long.MAX_VALUE : decisions.lookAgain_s();
        return new Orders(starts, cutOffs(decisions), lookAgain);
    }

    private List<CutOff> cutOffs(final Decisions decisions) {
        final Cutting cutting = policy.cutting();
        if (decisions.cut().isEmpty() || cutting == null) {
            return List.of();
        }
        final Map<PlannedJob, SimulatedJob> byPlan = new IdentityHashMap<>();
        running.forEach((job, planned) -> byPlan.put(planned, job));
        return decisions.cut().stream()
                .map(planned -> Objects.requireNonNull(byPlan.get(planned), "who is cut runs"))
                .map(job -> job.checkpointable()
                        ? new CutOff(job, true, cutting.checkpoint_s(), cutting.restart_s())
                        : new CutOff(job, false, 0, 0))
                .toList();
    }

    private void promise(final Reservation reservation) {
        if (head != reservation.head()) {
            head = reservation.head();
            headJob = waiting.get(head);
        }
        if (headJob != null && reservation.shadow().isForeseeable()) {
            headJob.promise(reservation.shadow().second());
        }
    }

    private void dropOverdue(final long now_s) {
        while (endsByLimits && planner.nextForeseenEnd_s() <= now_s) {
            planner.expire(planner.nextToEnd(), now_s);
        }
    }

    @Override
    public boolean hasRoomFor(final SimulatedJob job, final long now_s) {
        dropOverdue(now_s);
        return policy.reservations() > 1 || job.cores() <= planner.idleCores();
    }

    @Override
    public boolean startedBeforeTurn(final SimulatedJob job) {
        final PlannedJob planned = Objects.requireNonNull(running.get(job), "it has started");
        return planned.decision() != null && planned.decision().isBackfilled();
    }
}
