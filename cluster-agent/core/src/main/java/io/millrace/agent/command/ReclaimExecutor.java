package io.millrace.agent.command;

import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ArrayTasks;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executes a reclaim: preempts the victims, waits until their cores are free, and starts the beneficiary on them.
 *
 * <p>Under native control the victims stay held until the beneficiary runs, so that the local scheduler does not restart them on these cores.
 */
public final class ReclaimExecutor {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final WorkloadManager wlm;
    private final VictimPreemption clear;
    private final Clock clock;
    private final Duration limit;

    /** @param limit how long preempted victims may take to leave their cores */
    public ReclaimExecutor(
            final WorkloadManager wlm, final VictimPreemption clear, final Clock clock, final Duration limit) {
        this.wlm = wlm;
        this.clear = clear;
        this.clock = clock;
        this.limit = limit;
    }

    Result execute(final Command command, final Action.Reclaim reclaim) throws InterruptedException {
        final boolean directed = isDirected();
        final List<VictimPreemption.Preempted> left = clear.preempt(command, reclaim, directed);
        final String problem = startWhenFree(reclaim.beneficiary());
        if (!directed) {
            releaseVictims(
                    left.stream().map(VictimPreemption.Preempted::waitsAs).toList());
        }
        final String victims = VictimPreemption.summary(left);
        return problem == null
                ? ResultMapper.done(victims + "; " + reclaim.beneficiary() + " runs on their cores")
                : ResultMapper.failed(problem + "; " + victims + "; the victims wait in the queue");
    }

    private boolean isDirected() {
        return !(wlm.observe() instanceof Answer.Ok<Observation> seen)
                || seen.value().control() == Control.DIRECTED;
    }

    /** Returns null if the beneficiary, or a task of it, runs, else why it does not. */
    private @Nullable String startWhenFree(final JobKey beneficiary) throws InterruptedException {
        final Instant end = clock.instant().plus(limit);
        boolean started = false;
        int waitingTasks = 0;
        String last = "";
        while (clock.instant().isBefore(end)) {
            if (wlm.observe() instanceof Answer.Ok<Observation> seen) {
                final LiveCluster live = LiveCluster.of(
                        seen.value().control(),
                        seen.value().jobs(),
                        seen.value().nodes());
                final JobObserved job = live.job(beneficiary);
                if (job == null) {
                    return beneficiary + " left the queue during the reclaim";
                }
                final ArrayTasks tasks = job.detail().array();
                final boolean taskStarted = started && tasks != null && tasks.tasks() < waitingTasks;
                if (!job.state().isWaiting() || taskStarted) {
                    return null;
                }
                if (job.state() instanceof JobState.Held held && held.by() != HoldKind.ENTRY) {
                    return beneficiary + " was held during the reclaim (" + held.by() + ")";
                }
                last = live.idleCores() + " of the " + job.resources().cores() + " cores it needs are idle";
                if (!started && live.idleCores() >= job.resources().cores()) {
                    switch (((Starting) wlm).start(beneficiary)) {
                        case Answer.Ok<Accepted> ok -> {
                            started = true;
                            waitingTasks = tasks == null ? 0 : tasks.tasks();
                        }
                        case Answer.Trouble<Accepted> trouble -> last = trouble.reason();
                    }
                }
            }
            Thread.sleep(POLL_INTERVAL.toMillis());
        }
        return beneficiary + " is not running after " + limit.toSeconds() + " s: " + last;
    }

    /** Releases the victims from the hold they had during the reclaim. */
    void releaseVictims(final List<JobKey> victims) {
        if (wlm instanceof Holding holding) {
            // The release of a victim that has left the queue, or has another hold, fails without effect.
            victims.forEach(victim -> holding.release(victim, HoldKind.ENTRY));
        }
    }
}
