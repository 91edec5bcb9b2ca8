package io.millrace.agent.command;

import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobKey;
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
 * Takes the victims off their cores, each in its way, waits until these are free, and starts the beneficiary on them. Under native control
 * the victims are held until it runs, so that the local scheduler does not give them the very cores again.
 */
public final class ReclaimExecutor {

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private final WorkloadManager wlm;
    private final VictimPreemption clear;
    private final Clock clock;
    private final Duration limit;

    /** @param limit how long victims may take to leave their cores, once they are told to */
    public ReclaimExecutor(final WorkloadManager wlm, final VictimPreemption clear, final Clock clock, final Duration limit) {
        this.wlm = wlm;
        this.clear = clear;
        this.clock = clock;
        this.limit = limit;
    }

    Result execute(final Command command, final Action.Reclaim reclaim) throws InterruptedException {
        final boolean directed = isDirected();
        final List<VictimPreemption.Preempted> left = clear.preempt(command, reclaim, directed);
        final String because = startWhenFree(reclaim.beneficiary());
        if (!directed) {
            releaseVictims(left.stream().map(VictimPreemption.Preempted::waitsAs).toList());
        }
        final String victims = VictimPreemption.summary(left);
        return because == null
                ? ResultMapper.done(victims + "; " + reclaim.beneficiary() + " runs on their cores")
                : ResultMapper.failed(because + "; " + victims + "; nothing but these runs is lost");
    }

    private boolean isDirected() {
        return !(wlm.observe() instanceof Answer.Ok<Observation> seen)
                || seen.value().control() == Control.DIRECTED;
    }

    /** Returns null when the beneficiary runs, else why it does not. */
    private @Nullable String startWhenFree(final JobKey beneficiary) throws InterruptedException {
        final Instant end = clock.instant().plus(limit);
        boolean ordered = false;
        String last = "";
        while (clock.instant().isBefore(end)) {
            if (wlm.observe() instanceof Answer.Ok<Observation> seen) {
                final LiveCluster live = LiveCluster.of(
                        seen.value().control(),
                        seen.value().jobs(),
                        seen.value().nodes());
                final JobObserved job = live.job(beneficiary);
                if (job == null) {
                    return beneficiary + " left the queue meanwhile";
                }
                if (!job.state().isWaiting()) {
                    return null;
                }
                if (job.state() instanceof JobState.Held held && held.by() != HoldKind.ENTRY) {
                    return beneficiary + " was held meanwhile (" + held.by() + ")";
                }
                last = "idle are " + live.idleCores() + " of the "
                        + job.resources().cores() + " cores it needs";
                if (!ordered && live.idleCores() >= job.resources().cores()) {
                    switch (((Starting) wlm).start(beneficiary)) {
                        case Answer.Ok<Accepted> ok -> ordered = true;
                        case Answer.Trouble<Accepted> trouble -> last = trouble.because();
                    }
                }
            }
            Thread.sleep(LOOK_EVERY.toMillis());
        }
        return beneficiary + " does not run after " + limit.toSeconds() + " s: " + last;
    }

    /** Lifts the holds under which the victims stood aside. */
    void releaseVictims(final List<JobKey> victims) {
        if (wlm instanceof Holding holding) {
            // A victim that has left the queue, or is held by somebody else meanwhile, has no such hold to be lifted.
            victims.forEach(victim -> holding.release(victim, HoldKind.ENTRY));
        }
    }
}
