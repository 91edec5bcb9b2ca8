package io.millrace.agent.command;

import io.millrace.agent.checkpoint.CheckpointExecutor;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.Turns;
import io.millrace.agent.run.MakeStep;
import io.millrace.agent.run.StagingDirectories;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ArrayStarting;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.PartitionChoosing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes an action on the workload manager. The capabilities were checked before. */
public final class ActionExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(ActionExecutor.class);

    private final WorkloadManager wlm;
    private final OwnerAccounts owners;
    private final StagingDirectories staging;
    private final ReclaimExecutor reclaim;
    private final CheckpointExecutor checkpoint;
    private final MakeStep make;
    private final TreeCopies copies;
    private final CrashRecovery recovery;
    private final BiConsumer<Action.Submit, JobKey> submitted;
    private final Map<CommandId, Prepared> prepared = new ConcurrentHashMap<>();
    private final Turns dryRuns = new Turns();

    /**
     * What a submission needs to know of its owner.
     *
     * @param directory whether the owner can write to the job's directory
     * @param umask of the owner's login; null if it is unknown
     */
    private record Prepared(
            Answer<Accepted> directory, @Nullable String umask) {}

    /** @param submitted called for each submitted job */
    public ActionExecutor(
            final WorkloadManager wlm,
            final OwnerAccounts owners,
            final StagingDirectories staging,
            final ReclaimExecutor reclaim,
            final CheckpointExecutor checkpoint,
            final MakeStep make,
            final TreeCopies copies,
            final CrashRecovery recovery,
            final BiConsumer<Action.Submit, JobKey> submitted) {
        this.wlm = wlm;
        this.owners = owners;
        this.staging = staging;
        this.reclaim = reclaim;
        this.checkpoint = checkpoint;
        this.make = make;
        this.copies = copies;
        this.recovery = recovery;
        this.submitted = submitted;
    }

    /** The work of an action that takes long; empty for an action that is executed at once. */
    Optional<BackgroundCommands.Work> backgroundWork(final Command command) {
        return switch (command.action()) {
            case Action.Reclaim a -> Optional.of(() -> reclaim.execute(command, a));
            case Action.Checkpoint a -> Optional.of(() -> checkpoint.run(command, a));
            case Action.Make a -> Optional.of(() -> make.run(command.id(), a));
            case Action.CopyTree a -> Optional.of(() -> copy(a));
            case Action.RemoveCopy a -> Optional.of(() -> copies.remove(a));
            case Action.Submit a -> Optional.empty();
            case Action.Start a -> Optional.empty();
            case Action.Hold a -> Optional.empty();
            case Action.Release a -> Optional.empty();
            case Action.Requeue a -> Optional.empty();
            case Action.Suspend a -> Optional.empty();
            case Action.Resume a -> Optional.empty();
            case Action.Signal a -> Optional.empty();
            case Action.Cancel a -> Optional.empty();
            case Action.StopCopy a -> Optional.empty();
            case Action.AlterWalltime a -> Optional.empty();
            case Action.AlterPending a -> Optional.empty();
            case Action.SetTier a -> Optional.empty();
            case Action.SetPartitions a -> Optional.empty();
            case Action.SetLimit a -> Optional.empty();
            case Action.DryRun a -> Optional.of(() -> dryRun(a));
        };
    }

    /** Whether no other start may be executed at the same time ({@link Starting#startsTogether}). */
    boolean isStartedAlone(final Action action) {
        return action instanceof Action.Start && !(wlm instanceof Starting starting && starting.startsTogether());
    }

    /** Checks the directories of some submissions of one owner with one program; {@link #prepare} uses the answers. */
    void checkDirectories(final List<Action.Submit> ofOneOwner) {
        staging.checkTogether(
                ofOneOwner.getFirst().owner(),
                ofOneOwner.stream().map(Action.Submit::directory).collect(Collectors.toSet()));
    }

    /** Finds out what {@link #execute} needs to know of the owner of a submission. Waits for the owner's shell and file systems. */
    void prepare(final CommandId command, final Action.Submit submit) {
        prepared.put(command, prepared(command, submit));
    }

    private Prepared prepared(final CommandId command, final Action.Submit submit) {
        try {
            return new Prepared(
                    staging.prepare(submit.owner(), submit.directory(), authority(submit)),
                    owners.loginUmask(submit.owner()));
        } catch (final RuntimeException e) {
            LOG.error("the directory of command {} could not be prepared", command, e);
            return new Prepared(
                    Answer.trouble(Answer.Kind.REJECTED, "internal error in the agent: " + e.getMessage()), null);
        }
    }

    /** Executes an action at once; empty if it is unknown whether it took effect. */
    Optional<Result> execute(final Command command) {
        return switch (command.action()) {
            case Action.Submit a -> submit(a, Objects.requireNonNull(prepared.get(command.id()), "it was prepared"));
            case Action.Start a -> start(a);
            case Action.Hold a ->
                ResultMapper.result(
                        ((Holding) wlm).hold(a.job(), HoldKind.SUBMISSION, UserSentence.of(command, "held")));
            case Action.Release a -> ResultMapper.result(((Holding) wlm).release(a.job(), HoldKind.SUBMISSION));
            case Action.Requeue a ->
                ResultMapper.result(((Requeueing) wlm).requeue(a.job(), UserSentence.of(command, "requeued")));
            case Action.Suspend a -> ResultMapper.result(((Suspending) wlm).suspend(a.job()));
            case Action.Resume a -> ResultMapper.result(((Suspending) wlm).resume(a.job()));
            case Action.Signal a -> ResultMapper.result(((Signalling) wlm).signal(a.job(), a.signal()));
            case Action.Cancel a -> ResultMapper.result(wlm.cancel(a.job()));
            case Action.StopCopy a -> Optional.of(copies.stop(a));
            case Action.AlterWalltime a -> ResultMapper.result(((Altering) wlm).setWalltime(a.job(), a.walltime()));
            case Action.AlterPending a ->
                ResultMapper.result(((Altering) wlm).alterPending(a.job(), a.jobName(), a.cores()));
            case Action.SetTier a -> ResultMapper.result(((Tiering) wlm).setTier(a.job(), a.tier()));
            case Action.SetPartitions a ->
                ResultMapper.result(
                        a.partitions().size() == 1
                                ? ((Altering) wlm)
                                        .setPartition(a.job(), a.partitions().getFirst())
                                : ((PartitionChoosing) wlm).setPartitions(a.job(), a.partitions()));
            case Action.SetLimit a ->
                ResultMapper.result(((Limiting) wlm).setLimit(owners.toCluster(a.user()), a.cores()));
            case Action.DryRun a -> throw new IllegalArgumentException("a dry run runs in the background");
            case Action.Reclaim a -> throw new IllegalArgumentException("a reclaim runs in the background");
            case Action.Checkpoint a -> throw new IllegalArgumentException("a checkpoint runs in the background");
            case Action.Make a -> throw new IllegalArgumentException("a make step runs in the background");
            case Action.CopyTree a -> throw new IllegalArgumentException("a copy runs in the background");
            case Action.RemoveCopy a -> throw new IllegalArgumentException("a removal runs in the background");
        };
    }

    /** Executes the commands that set the tier of a job together, if there are several; their results by command. */
    Map<CommandId, Optional<Result>> setTiers(final List<Command> group) {
        final Map<CommandId, Action.SetTier> orders = new LinkedHashMap<>();
        final Map<JobKey, Tier> tiers = new LinkedHashMap<>();
        for (final Command command : group) {
            if (command.action() instanceof Action.SetTier order) {
                orders.put(command.id(), order);
                tiers.put(order.job(), order.tier());
            }
        }
        if (tiers.size() < 2) {
            return Map.of();
        }
        final Map<JobKey, Answer<Accepted>> answers = ((Tiering) wlm).setTiers(tiers);
        final Map<CommandId, Optional<Result>> results = new LinkedHashMap<>();
        orders.forEach((command, order) -> results.put(
                command,
                ResultMapper.result(
                        Objects.requireNonNull(answers.get(order.job()), "each job of the group has an answer"))));
        return results;
    }

    private Optional<Result> start(final Action.Start order) {
        if (order.tasks() != null) {
            return ResultMapper.started(((ArrayStarting) wlm).start(order.job(), order.tasks()));
        }
        return ResultMapper.result(
                order.partition() == null
                        ? ((Starting) wlm).start(order.job())
                        : ((Moving) wlm).start(order.job(), order.partition()));
    }

    private Result dryRun(final Action.DryRun order) {
        final Answer<DryRunResult> answer = dryRuns.in(
                "another dry run of '" + order.owner() + "'",
                () -> ((DryRunning) wlm)
                        .dryRun(submission(
                                order.attempt(),
                                order.owner(),
                                order.spec(),
                                order.directory(),
                                owners.loginUmask(order.owner()),
                                Authority.of(Authority.Kind.DRY_RUN, order.signature(), order.attempt()))));
        return switch (answer) {
            case Answer.Ok<DryRunResult> ok -> Result.Done.dryRun("dry run; no job was submitted", ok.value());
            case Answer.Trouble<DryRunResult> trouble -> ResultMapper.failed(trouble.reason());
        };
    }

    private Result copy(final Action.CopyTree order) {
        return switch (staging.prepare(order.owner(), order.to().path(), TreeCopies.authority(order))) {
            case Answer.Ok<Accepted> ready -> copies.copy(order);
            case Answer.Trouble<Accepted> trouble -> ResultMapper.failed(trouble.reason());
        };
    }

    private Optional<Result> submit(final Action.Submit submit, final Prepared owner) {
        final Answer<JobKey> answer = owner.directory()
                .then(ready -> wlm.submit(submission(
                        submit.attempt(),
                        submit.owner(),
                        submit.spec(),
                        submit.directory(),
                        owner.umask(),
                        authority(submit))));
        return switch (answer) {
            case Answer.Ok<JobKey> ok -> Optional.of(new Result.Done(ok.value(), "submitted as " + ok.value()));
            case Answer.Trouble<JobKey> trouble ->
                trouble.kind().isDefinite() ? Optional.of(ResultMapper.failed(trouble.reason())) : Optional.empty();
        };
    }

    private static Authority authority(final Action.Submit submit) {
        return Authority.of(Authority.Kind.SUBMIT, submit.signature(), submit.attempt());
    }

    private Submission submission(
            final AttemptId attempt,
            final UserName owner,
            final JobSpec spec,
            final String directory,
            final @Nullable String umask,
            final Authority authority) {
        return new Submission(
                attempt,
                owners.toCluster(owner),
                owners.toCluster(spec),
                directory,
                owners.modules(),
                umask,
                owners.onThisCluster(authority));
    }

    /** Finds out the effect of a command that was started at that instant, without executing it again. */
    Result examine(final Command command, final Instant begun) throws InterruptedException {
        return recovery.examine(command, begun);
    }

    /** Called when the answer to a command is in Kafka. */
    void published(final Command command, final Result result) {
        prepared.remove(command.id());
        if (command.action() instanceof Action.Submit submit
                && result instanceof Result.Done done
                && done.job() != null) {
            submitted.accept(submit, done.job());
        }
    }
}
