package io.millrace.agent.reclaim;

import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.domain.ReclaimClaim;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ArrayStarting;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Executes a reclaim: preempts the victims, waits until their cores are free, and starts the beneficiary on them.
 *
 * <p>Under native control the victims stay held until the beneficiary runs, so that the local scheduler does not restart them on these cores.
 */
public final class ReclaimExecutor {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    /** A local scheduler starts a released job within this time if its cores are idle. */
    private static final Duration NEXT_PASS = Duration.ofSeconds(5);

    private final WorkloadManager wlm;
    private final VictimPreemption clear;
    private final VictimRelease release;
    private final Clock clock;
    private final Duration limit;

    /** @param limit how long preempted victims may take to leave their cores */
    public ReclaimExecutor(
            final WorkloadManager wlm,
            final VictimPreemption clear,
            final VictimRelease release,
            final Clock clock,
            final Duration limit) {
        this.wlm = wlm;
        this.clear = clear;
        this.release = release;
        this.clock = clock;
        this.limit = limit;
    }

    public Result execute(final Command command, final Action.Reclaim reclaim) throws InterruptedException {
        awaitStart(reclaim.victims());
        final boolean directed = isDirected();
        final List<VictimPreemption.Preempted> left = clear.preempt(command, reclaim, directed);
        final Optional<Result.Failed> problem = startWhenFree(reclaim, left, directed);
        if (!directed) {
            release.release(
                    command.id(),
                    left.stream()
                            .filter(VictimPreemption.Preempted::vacated)
                            .map(VictimPreemption.Preempted::waitsAs)
                            .toList());
        }
        final String victims = VictimPreemption.summary(left);
        return problem.isEmpty()
                ? Result.Done.preempted(
                        left.stream()
                                .filter(VictimPreemption.Preempted::vacated)
                                .map(one -> one.preemption().victim())
                                .toList(),
                        reclaim.tasks(),
                        victims + "; " + reclaim.beneficiary() + " runs on their cores")
                : new Result.Failed(
                        problem.get().reason() + "; " + victims + "; "
                                + (problem.get().whileUnchanged() == null
                                        ? "the victims wait in the queue"
                                        : giveBack(left)),
                        problem.get().code(),
                        problem.get().whileUnchanged());
    }

    /** A victim of the reserve was perhaps released a moment ago, and starts with the next pass of the local scheduler. */
    private void awaitStart(final List<JobKey> victims) throws InterruptedException {
        final Instant end = clock.instant().plus(NEXT_PASS);
        while (clock.instant().isBefore(end)
                && wlm.observe() instanceof Answer.Ok<Observation> seen
                && seen.value().jobs().stream()
                        .anyMatch(job -> job.state().isWaiting() && victims.contains(job.job()))) {
            Thread.sleep(POLL_INTERVAL.toMillis());
        }
    }

    private boolean isDirected() {
        return !(wlm.observe() instanceof Answer.Ok<Observation> seen)
                || seen.value().control() == Control.DIRECTED;
    }

    /**
     * Why the beneficiary does not run; empty if it does, or the named tasks of it or any other.
     *
     * @param left victims; when all of them have left their cores and the start still does not fit, it never will
     * @param directed whether only Millrace starts jobs; else the local scheduler may start the beneficiary on other nodes
     */
    private Optional<Result.Failed> startWhenFree(
            final Action.Reclaim reclaim, final List<VictimPreemption.Preempted> left, final boolean directed)
            throws InterruptedException {
        final JobKey beneficiary = reclaim.beneficiary();
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
                if (started && noneWaits(reclaim, live)) {
                    return Optional.empty();
                }
                if (job == null) {
                    return failed(beneficiary + " left the queue during the reclaim");
                }
                final ArrayTasks tasks = job.detail().array();
                final boolean taskStarted =
                        started && reclaim.tasks() == null && tasks != null && tasks.tasks() < waitingTasks;
                if (!job.state().isWaiting() || taskStarted) {
                    return Optional.empty();
                }
                if (job.state() instanceof JobState.Held held && held.by() != HoldKind.ENTRY) {
                    return failed(beneficiary + " was held during the reclaim by "
                            + held.by().holder());
                }
                final int needed = ReclaimClaim.neededCores(reclaim, live);
                last = live.idleCores() + " of the " + needed + " cores it needs are idle";
                if (!started && live.idleCores() >= needed) {
                    final Answer<?> answer = start(reclaim);
                    if (directed && doesNotFit(answer) && haveLeft(left, live)) {
                        return Optional.of(Result.Failed.doesNotFit(
                                beneficiary + " cannot start on the cores of the victims: " + reason(answer),
                                PlacementRequest.of(job).onNodes(seen.value().nodes())));
                    }
                    started = answer instanceof Answer.Ok<?>;
                    waitingTasks = tasks == null ? 0 : tasks.tasks();
                    last = started ? "the workload manager accepted its start" : reason(answer);
                }
            }
            Thread.sleep(POLL_INTERVAL.toMillis());
        }
        return failed(beneficiary + " is not running after " + limit.toSeconds() + " s: " + last);
    }

    private static Optional<Result.Failed> failed(final String reason) {
        return Optional.of(new Result.Failed(reason));
    }

    private Answer<?> start(final Action.Reclaim reclaim) {
        return reclaim.tasks() == null
                ? wlm.get(Starting.class).start(reclaim.beneficiary())
                : wlm.get(ArrayStarting.class).start(reclaim.beneficiary(), reclaim.tasks());
    }

    private static boolean doesNotFit(final Answer<?> answer) {
        return answer instanceof Answer.Trouble<?> trouble && trouble.kind() == Answer.Kind.DOES_NOT_FIT;
    }

    private static String reason(final Answer<?> answer) {
        return answer instanceof Answer.Trouble<?> trouble ? trouble.reason() : "";
    }

    private static boolean haveLeft(final List<VictimPreemption.Preempted> victims, final LiveCluster live) {
        return victims.stream()
                .filter(VictimPreemption.Preempted::vacated)
                .map(victim -> live.job(victim.waitsAs()))
                .noneMatch(job -> job != null && job.state().occupiesCores());
    }

    /** Starts or resumes the victims, for whose cores there is no use. One that cannot start yet waits in the queue. */
    private String giveBack(final List<VictimPreemption.Preempted> left) throws InterruptedException {
        final List<VictimPreemption.Preempted> open = new ArrayList<>(
                left.stream().filter(VictimPreemption.Preempted::vacated).toList());
        final int all = open.size();
        final Instant end = clock.instant().plus(NEXT_PASS);
        while (!open.isEmpty() && clock.instant().isBefore(end)) {
            open.removeIf(this::runsAgain);
            if (!open.isEmpty()) {
                Thread.sleep(POLL_INTERVAL.toMillis());
            }
        }
        return (all - open.size()) + " of " + all + " victims were started again"
                + (open.isEmpty() ? "" : "; the others wait in the queue");
    }

    private boolean runsAgain(final VictimPreemption.Preempted victim) {
        final Answer<Accepted> answer = victim.preemption().mode() == Preemption.Mode.SUSPEND
                ? wlm.get(Suspending.class).resume(victim.waitsAs())
                : wlm.get(Starting.class).start(victim.waitsAs());
        return answer instanceof Answer.Ok<Accepted>;
    }

    /** Whether the tasks are named and all of them have left the record of the array and run. */
    private static boolean noneWaits(final Action.Reclaim reclaim, final LiveCluster live) {
        return reclaim.tasks() != null
                && ArrayIndices.both(reclaim.tasks(), live.waitingTasks(reclaim.beneficiary()))
                        .isEmpty();
    }
}
