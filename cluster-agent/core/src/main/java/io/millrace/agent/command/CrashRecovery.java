package io.millrace.agent.command;

import io.millrace.agent.checkpoint.CheckpointRequeue;
import io.millrace.agent.checkpoint.CheckpointStore;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.observe.RunEndResolver;
import io.millrace.agent.run.MakeStep;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.ReserveVictim;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds out the effect of a command that was started and not answered. It waits until no command line of the crashed agent can still run;
 * then it examines the queue and accounting. It never executes the command again (promise 3).
 */
public final class CrashRecovery {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofHours(1);

    private final WorkloadManager wlm;
    private final RunEndResolver ends;
    private final CheckpointRequeue cut;
    private final OwnerAccounts owners;
    private final Map<JobKey, CheckpointStore.Entry> saved;
    private final VictimRelease release;
    private final MakeStep make;
    private final TreeCopies copies;
    private final Clock clock;
    private final Duration delay;

    /**
     * @param saved checkpoints of runs that had not been published as ended when the agent started
     * @param delay how long after its start a command line of the crashed agent may still take effect
     */
    public CrashRecovery(
            final WorkloadManager wlm,
            final RunEndResolver ends,
            final CheckpointRequeue cut,
            final OwnerAccounts owners,
            final Map<JobKey, CheckpointStore.Entry> saved,
            final VictimRelease release,
            final MakeStep make,
            final TreeCopies copies,
            final Clock clock,
            final Duration delay) {
        this.wlm = wlm;
        this.ends = ends;
        this.cut = cut;
        this.owners = owners;
        this.saved = Map.copyOf(saved);
        this.release = release;
        this.make = make;
        this.copies = copies;
        this.clock = clock;
        this.delay = delay;
    }

    Result examine(final Command command, final Instant begun) throws InterruptedException {
        final Duration wait = Duration.between(
                clock.instant(), begun.plus(CommandProcessor.GROUP_TIME).plus(delay));
        if (wait.isPositive()) {
            Thread.sleep(wait.toMillis());
        }
        if (command.action() instanceof Action.Make order) {
            return make.recover(command.id(), order);
        }
        if (command.action() instanceof Action.CopyTree order) {
            // A copy can be repeated: files that have arrived are not copied again.
            return copies.copy(order);
        }
        if (command.action() instanceof Action.RemoveCopy order) {
            return copies.remove(order);
        }
        if (command.action() instanceof Action.Submit order) {
            return retryUntilAnswered(() -> submitted(order));
        }
        if (command.action() instanceof Action.SetLimit order) {
            return retryUntilAnswered(() -> limit(order));
        }
        final Result result = retryUntilAnswered(() -> inQueue(command.action(), begun));
        if (command.action() instanceof Action.Reclaim order) {
            setRemainingWalltimes(order);
            release.release(command.id(), possibleVictims(order).map(this::next).toList());
            return result;
        }
        return command.action() instanceof Action.Checkpoint order ? checkpoint(order, result) : result;
    }

    /** The key under which the job continues. */
    private JobKey next(final JobKey victim) {
        final CheckpointStore.Entry entry = saved.get(victim);
        return entry == null ? victim : entry.next();
    }

    /** Victims with a checkpoint get the rest of their walltime; a victim that still runs was not preempted. */
    private void setRemainingWalltimes(final Action.Reclaim order) throws InterruptedException {
        for (final JobKey victim : order.victims()) {
            final CheckpointStore.Entry entry = saved.get(victim);
            if (entry != null && cut.running(victim) instanceof Answer.Ok<JobObserved>) {
                ends.notSaved(victim);
            } else if (entry != null) {
                cut.setRemainingWalltime(entry);
            }
        }
    }

    private Answer<Result> limit(final Action.SetLimit order) {
        return ((Limiting) wlm)
                .isLimitSet(owners.toCluster(order.user()), order.cores())
                .map(isSet -> isSet
                        ? ResultMapper.done("the limit is set; the agent crashed before it answered")
                        : ResultMapper.failed(
                                "interrupted by a crash before the limit was set completely; it can be set again"));
    }

    /** Setting the remaining walltime again changes nothing. */
    private Result checkpoint(final Action.Checkpoint order, final Result result) throws InterruptedException {
        final CheckpointStore.Entry entry = saved.get(order.job());
        if (!(result instanceof Result.Done done)) {
            ends.notSaved(order.job());
            return result;
        }
        if (entry == null) {
            return result;
        }
        return new Result.Done(
                done.job() == null ? entry.continuedAs() : done.job(), done.detail() + cut.setRemainingWalltime(entry));
    }

    private Result retryUntilAnswered(final Supplier<Answer<Result>> look) throws InterruptedException {
        final Instant end = clock.instant().plus(TIMEOUT);
        while (true) {
            switch (look.get()) {
                case Answer.Ok<Result> ok -> {
                    return ok.value();
                }
                case Answer.Trouble<Result> trouble -> {
                    if (clock.instant().isAfter(end)) {
                        return new Result.Unclear(
                                "interrupted by a crash, and its effect is unknown: " + trouble.reason());
                    }
                }
            }
            Thread.sleep(POLL_INTERVAL.toMillis());
        }
    }

    private Answer<Result> submitted(final Action.Submit submit) {
        if (!(wlm instanceof AttemptFinding finding)) {
            return Answer.ok(new Result.Unclear(
                    "interrupted by a crash, and this workload manager cannot find jobs by their tag"));
        }
        return finding.find(submit.attempt(), owners.toCluster(submit.owner()))
                .map(found -> found.isEmpty()
                        ? new Result.Failed(
                                "interrupted by a crash before it took effect: no job carries tag " + submit.attempt())
                        : new Result.Done(
                                found.get(0).job(),
                                "submitted as " + found.get(0).job() + "; the agent crashed before it answered"));
    }

    private Answer<Result> inQueue(final Action action, final Instant begun) {
        return wlm.observe().map(seen -> {
            final LiveCluster live = LiveCluster.of(seen.control(), seen.jobs(), seen.nodes());
            return new InterruptedCommand(begun, live, ends.endedRuns(named(action))).of(action);
        });
    }

    /** The victims and the jobs of the reserve, which may have been preempted. The release of one that was not has no effect. */
    private static Stream<JobKey> possibleVictims(final Action.Reclaim order) {
        return Stream.concat(
                order.victims().stream(), order.allReserve().stream().map(ReserveVictim::job));
    }

    private static List<JobKey> named(final Action action) {
        return switch (action) {
            case Action.Start a -> List.of(a.job());
            case Action.Hold a -> List.of(a.job());
            case Action.Release a -> List.of(a.job());
            case Action.Requeue a -> List.of(a.job());
            case Action.Suspend a -> List.of(a.job());
            case Action.Resume a -> List.of(a.job());
            case Action.Checkpoint a -> List.of(a.job());
            case Action.Signal a -> List.of(a.job());
            case Action.Cancel a -> List.of(a.job());
            case Action.Reclaim a -> {
                final List<JobKey> all = new ArrayList<>(a.victims());
                all.add(a.beneficiary());
                yield all;
            }
            case Action.Submit a -> List.of();
            case Action.Make a -> List.of();
            case Action.CopyTree a -> List.of();
            case Action.StopCopy a -> List.of();
            case Action.RemoveCopy a -> List.of();
            case Action.AlterWalltime a -> List.of(a.job());
            case Action.AlterPending a -> List.of(a.job());
            case Action.SetTier a -> List.of(a.job());
            case Action.SetPartitions a -> List.of(a.job());
            case Action.SetLimit a -> List.of();
            case Action.DryRun a -> List.of();
        };
    }
}
