package io.millrace.agent.command;

import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentMetrics;
import io.millrace.agent.action.ActionContext;
import io.millrace.agent.action.AgentAction;
import io.millrace.agent.action.CrashRecovery;
import io.millrace.agent.action.LongAction;
import io.millrace.agent.action.SetTierAction;
import io.millrace.agent.action.ShortAction;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.agent.domain.IncludedCommands;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.CommandId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes commands in the order of the log: validates each on the live cluster, commits {@code Begun}, executes it, commits the result.
 *
 * <p>Submissions, releases and starts that arrive together are validated together and share the transaction with {@code Begun}, because the effect
 * of each can be found out after a crash; those about different jobs are executed at the same time. A command that was started or answered, before or after a restart of the agent, is never executed again. {@link CrashRecovery} examines
 * commands that were started and not answered.
 */
public final class CommandProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(CommandProcessor.class);

    /** A crash leaves at most this many commands whose effect has to be found out. */
    private static final int MAX_GROUP = 20;

    /** The last command of a group starts at most this long after its {@code Begun}. */
    public static final Duration GROUP_TIME = Duration.ofMillis(500);

    /** The agent's thread waits at most this long for a program with an owner's rights. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private final LiveCommandValidator validator;
    private final ActionContext with;
    private final CrashRecovery recovery;
    private final BackgroundCommands background;
    private final IncludedCommands included;
    private final OutcomePublisher outcomes;
    private final Clock clock;
    private final SiteTranslation site;
    private final CommandLanes lanes;
    private final Map<CommandId, Instant> begun = new ConcurrentHashMap<>();
    private final AnsweredCommands answered = new AnsweredCommands();
    private final UnconfirmedStarts starts = new UnconfirmedStarts();
    private final List<Validated> validated = new ArrayList<>();
    private final OwnerPreparation preparation;
    private int groupSize = 1;

    public CommandProcessor(
            final LiveCommandValidator validator,
            final CrashRecovery recovery,
            final BackgroundCommands background,
            final IncludedCommands included,
            final AgentLog log,
            final Clock clock,
            final AgentMetrics metrics,
            final SiteTranslation site,
            final CommandLanes lanes) {
        this.validator = validator;
        this.with = recovery.with();
        this.recovery = recovery;
        this.background = background;
        this.included = included;
        this.outcomes = new OutcomePublisher(log, metrics, answered);
        this.clock = clock;
        this.site = site;
        this.lanes = lanes;
        this.preparation = new OwnerPreparation(with.prepared(), log::wake, clock);
    }

    /**
     * A command to be executed after the next commit, which contains its {@code Begun}.
     *
     * @param job the job to be started, as it was when the command was validated
     */
    private record Validated(Command command, @Nullable JobObserved job) {}

    /** Takes over the state replayed from Kafka. Answers that were not committed are lost; their commands are examined. */
    public void restore(final Map<CommandId, Instant> replayedBegun, final AnsweredCommands replayedAnswered) {
        outcomes.discard();
        validated.clear();
        begun.putAll(replayedBegun);
        answered.addAll(replayedAnswered);
        background.finished().stream()
                .filter(result -> answered.covers(result.command()))
                .forEach(this::close);
    }

    private void close(final BackgroundCommands.Finished result) {
        background.acknowledge(result);
        settle(result.command().id());
    }

    private void settle(final CommandId command) {
        validator.finished(command);
        included.include(command);
    }

    /**
     * Commits the results of background commands and processes a burst of records, the availability of the cluster first: after a fence, no
     * earlier command of the burst is executed. Returns whether a command may have changed the queue.
     */
    public boolean process(final List<AgentLog.Incoming> burst) {
        boolean changed = addFinished();
        validator.discardSnapshot();
        final List<AgentLog.Incoming.CommandReceived> ready = preparation.ready();
        validator.expect(newSubmissions(ready));
        burst.forEach(in -> {
            if (in instanceof AgentLog.Incoming.AvailabilityReceived received) {
                validator.changed(received.availability());
                LOG.atInfo()
                        .addKeyValue("cluster", received.availability().cluster())
                        .addKeyValue("decision", received.availability().status())
                        .addKeyValue("reason", received.availability().reason())
                        .log("availability of the cluster");
            }
        });
        for (final AgentLog.Incoming.CommandReceived received : ready) {
            changed |= processOrRefuse(received, true);
        }
        for (final AgentLog.Incoming in : burst) {
            switch (in) {
                case AgentLog.Incoming.CommandReceived received -> {
                    changed |= processOrRefuse(received, false);
                    included.readUpTo(received.nextOffset());
                }
                case AgentLog.Incoming.Unsupported unsupported -> {
                    final CommandId command = unsupported.refusal().command();
                    if (!answered.contains(command) && !outcomes.isUnpublished(command)) {
                        outcomes.add(unsupported.refusal(), () -> {});
                    }
                    included.readUpTo(unsupported.nextOffset());
                }
                case AgentLog.Incoming.Skipped skipped -> included.readUpTo(skipped.nextOffset());
                case AgentLog.Incoming.PlanReceived s -> {}
                case AgentLog.Incoming.AvailabilityReceived a -> {}
            }
        }
        executeValidated();
        outcomes.publish();
        return changed;
    }

    /** Adds the results of background commands to the next commit; returns whether one of them may have changed the queue. */
    private boolean addFinished() {
        background.takeSettled().forEach(this::settle);
        boolean changed = false;
        for (final BackgroundCommands.Finished result : background.finished()) {
            // Commands that follow may use the cores that this one has claimed.
            validator.finished(result.command().id());
            answer(result.command(), result.result(), () -> close(result));
            changed |= AgentAction.of(result.command().action()).changesQueue();
        }
        return changed;
    }

    /** Whether {@link #process} has something to do without new records. */
    public boolean hasReady() {
        return preparation.hasReady();
    }

    private List<Command> newSubmissions(final List<AgentLog.Incoming.CommandReceived> ready) {
        return ready.stream()
                .map(AgentLog.Incoming.CommandReceived::command)
                .filter(command -> !answered.covers(command) && !begun.containsKey(command.id()))
                .toList();
    }

    /**
     * A command that cannot be processed is refused before it has begun, so that it does not hold up those after it.
     *
     * @param prepared whether what a submission needs of its owner was found out
     */
    private boolean processOrRefuse(final AgentLog.Incoming.CommandReceived received, final boolean prepared) {
        try {
            return process(received, prepared);
        } catch (final AgentLog.Unavailable | AgentLog.Fenced | AgentLog.Unwritable e) {
            throw e;
        } catch (final RuntimeException e) {
            final Command command = received.command();
            if (begun.containsKey(command.id()) || outcomes.isUnpublished(command.id())) {
                throw e;
            }
            LOG.error("command {} cannot be processed", command.id(), e);
            answer(
                    command,
                    new Result.Refused(Refusal.UNSUPPORTED, "internal error while the agent read the command: " + e));
            included.include(command.id());
            return false;
        }
    }

    private boolean process(final AgentLog.Incoming.CommandReceived received, final boolean prepared) {
        final Command command = received.command();
        if (command.action() instanceof Action.Submit submit) {
            site.learn(submit);
        }
        if (background.isRunning(command.id()) || preparation.isPreparing(command.id())) {
            return false;
        }
        if (outcomes.isUnpublished(command.id())) {
            executeValidated();
            outcomes.publish();
        }
        if (answered.covers(command)) {
            if (!starts.contains(command.id())) {
                included.include(command.id());
            }
            return false;
        }
        final Instant since = begun.get(command.id());
        if (since != null) {
            LOG.warn("command {} was begun at {} and not answered; examining its effect", command.id(), since);
            exclude(received);
            background.start(command, () -> recovery.examine(command, since));
            return false;
        }
        final boolean prepares = command.action() instanceof Action.Submit && !prepared;
        final Optional<Result.Refused> refused =
                prepares ? validator.refusalAhead(command) : validator.refusal(command);
        if (refused.isPresent()) {
            answer(command, refused.get());
            included.include(command.id());
            return false;
        }
        if (prepares) {
            preparation.start(received);
            exclude(received);
            return false;
        }
        begin(validator.resolved(command));
        exclude(received);
        final AgentAction action = AgentAction.of(command.action());
        if (!action.isGrouped() || validated.size() >= groupSize) {
            executeValidated();
        }
        return action.changesQueue();
    }

    private void exclude(final AgentLog.Incoming.CommandReceived received) {
        if (AgentAction.of(received.command().action()).changesQueue()) {
            included.exclude(received.command().id(), received.offset());
        }
    }

    /** Offset up to which this observation shows the effects of commands. It must be taken after the last command was processed. */
    public long includedIn(final Observation seen) {
        starts.take(seen).forEach(included::include);
        return included.offset();
    }

    /** Adds {@code Begun} to the next commit, and assumes the effect of the command for those after it. */
    private void begin(final Command command) {
        final Instant now = clock.instant();
        outcomes.add(command, now, new Result.Begun(), () -> begun.put(command.id(), now));
        final JobObserved job = command.action() instanceof Action.Start start ? validator.lastSeen(start.job()) : null;
        validated.add(new Validated(command, job));
        validator.started(command);
        validator.applied(command.action());
    }

    /**
     * Commits {@code Begun} of the validated commands in one transaction with the answers of earlier ones; then executes them. A command that is not
     * executed within {@link #GROUP_TIME} of its {@code Begun} is validated and begun again.
     */
    private void executeValidated() {
        while (!validated.isEmpty()) {
            final List<Validated> group = List.copyOf(validated);
            validated.clear();
            outcomes.publish();
            final Instant committedAt = clock.instant();
            final Map<CommandId, Optional<Result>> results = executeTogether(group, committedAt);
            int executed = results.size();
            final List<Command> late = new ArrayList<>();
            for (final Validated next : group) {
                final Optional<Result> result = results.get(next.command().id());
                if (result != null) {
                    finish(next, result);
                } else if (executed == 0
                        || !AgentAction.of(next.command().action()).isGrouped() && !isLate(committedAt)) {
                    finish(next, execute(next.command()));
                    executed++;
                } else {
                    late.add(next.command());
                }
            }
            validateAgain(late);
            final Duration each = Duration.between(committedAt, clock.instant()).dividedBy(executed);
            groupSize = each.multipliedBy(MAX_GROUP).compareTo(GROUP_TIME) <= 0
                    ? MAX_GROUP
                    : (int) Math.max(1, GROUP_TIME.dividedBy(each));
        }
    }

    private boolean isLate(final Instant committedAt) {
        return clock.instant().isAfter(committedAt.plus(GROUP_TIME));
    }

    /** Executes the commands of a group that need not wait for each other. The results lack those that would have started too late. */
    private Map<CommandId, Optional<Result>> executeTogether(final List<Validated> group, final Instant committedAt) {
        final Map<CommandId, Optional<Result>> results = new HashMap<>(setTiers(group));
        final AtomicBoolean any = new AtomicBoolean(!results.isEmpty());
        final BooleanSupplier late = () -> any.getAndSet(true) && isLate(committedAt);
        final List<Command> rest = group.stream()
                .map(Validated::command)
                .filter(command -> AgentAction.of(command.action()).isGrouped() && !results.containsKey(command.id()))
                .toList();
        results.putAll(lanes.execute(
                rest.stream().filter(command -> !isExecutedAlone(command)).toList(), this::execute, late));
        rest.stream()
                .filter(this::isExecutedAlone)
                .forEach(start -> results.putAll(lanes.execute(List.of(start), this::execute, late)));
        return results;
    }

    private boolean isExecutedAlone(final Command command) {
        return AgentAction.of(command.action()) instanceof ShortAction action && action.isExecutedAlone(with.wlm());
    }

    private void validateAgain(final List<Command> late) {
        if (late.isEmpty()) {
            return;
        }
        validator.discardSnapshot();
        late.forEach(command -> {
            final Optional<Result.Refused> refused = validator.refusal(command);
            if (refused.isPresent()) {
                answer(command, refused.get());
                included.include(command.id());
            } else {
                begin(validator.resolved(command));
            }
        });
    }

    private void finish(final Validated executed, final Optional<Result> result) {
        final Command command = executed.command();
        final JobObserved job = executed.job();
        if (result.isEmpty()) {
            background.start(command, () -> examine(command));
            return;
        }
        if (result.get() instanceof Result.Begun) {
            return; // it continues in the background
        }
        answer(command, result.get());
        if (command.action() instanceof Action.Start start && result.get() instanceof Result.Done done) {
            starts.add(command.id(), start.job(), done.tasks(), job, clock.instant());
        } else {
            included.include(command.id());
        }
    }

    private Map<CommandId, Optional<Result>> setTiers(final List<Validated> group) {
        final List<Command> commands = group.stream().map(Validated::command).toList();
        try {
            return SetTierAction.together(commands, with.wlm());
        } catch (final RuntimeException e) {
            LOG.error("the tiers of {} commands could not be set together", commands.size(), e);
            return Map.of();
        }
    }

    /** Executes it at once, or begins it in the background. */
    private Optional<Result> execute(final Command command) {
        return switch (AgentAction.of(command.action())) {
            case LongAction action -> {
                background.start(command, () -> action.run(command, with));
                yield Optional.of(new Result.Begun());
            }
            case ShortAction action -> execute(command, action);
        };
    }

    /** The programs of a submission and of a signal run with the owner's rights, and may wait for the owner's file systems. */
    private Optional<Result> execute(final Command command, final ShortAction action) {
        if (command.action() instanceof Action.Submit submit) {
            return execute(command, action, submit.owner());
        }
        return command.action() instanceof Action.Signal
                ? background.within(PATIENCE, command, () -> executed(command, action), () -> examine(command))
                : executed(command, action);
    }

    private Optional<Result> execute(final Command command, final ShortAction action, final UserName owner) {
        final Duration patience = preparation.isSlow(owner) ? Duration.ZERO : PATIENCE;
        preparation.occupy(owner);
        final Optional<Result> result = background.within(
                patience,
                command,
                () -> {
                    try {
                        return executed(command, action);
                    } finally {
                        preparation.free(owner);
                    }
                },
                () -> examine(command));
        if (patience.isPositive() && result.orElse(null) instanceof Result.Begun) {
            preparation.tookLong(owner);
        }
        return result;
    }

    private Result examine(final Command command) throws InterruptedException {
        LOG.warn("command {}: it is unknown whether it took effect; examining", command.id());
        return recovery.examine(command, begun.getOrDefault(command.id(), clock.instant()));
    }

    private Optional<Result> executed(final Command command, final ShortAction action) {
        try {
            return action.execute(command, with);
        } catch (final RuntimeException e) {
            LOG.error("command {} failed in the agent", command.id(), e);
            return Optional.empty();
        }
    }

    private void answer(final Command command, final Result result) {
        answer(command, result, () -> {});
    }

    private void answer(final Command command, final Result result, final Runnable committed) {
        outcomes.add(command, clock.instant(), result, () -> {
            committed.run();
            begun.remove(command.id());
            AgentAction.of(command.action()).answered(command, result, with);
        });
    }
}
