package io.millrace.agent.command;

import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentMetrics;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.agent.domain.CommandValidator;
import io.millrace.agent.domain.IncludedCommands;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.CommandId;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes commands in the order of the log: validates each on the live cluster, commits {@code Begun}, executes it, commits the result.
 *
 * <p>Submissions, releases and starts that arrive together are validated together and share the transaction with {@code Begun}, because the effect
 * of each can be found out after a crash. A command that was started or answered, before or after a restart of the agent, is never executed again. {@link CrashRecovery} examines
 * commands that were started and not answered.
 */
public final class CommandProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(CommandProcessor.class);

    /** A crash leaves at most this many commands whose effect has to be found out. */
    private static final int MAX_GROUP = 20;

    /** The last command of a group starts at most this long after its {@code Begun}. */
    static final Duration GROUP_TIME = Duration.ofMillis(500);

    private final LiveCommandValidator validator;
    private final ActionExecutor actions;
    private final BackgroundCommands background;
    private final IncludedCommands included;
    private final AgentLog log;
    private final Clock clock;
    private final AgentMetrics metrics;
    private final SiteTranslation site;
    private final Map<CommandId, Instant> begun = new HashMap<>();
    private final AnsweredCommands answered = new AnsweredCommands();
    private final UnconfirmedStarts starts = new UnconfirmedStarts();
    private final List<Unpublished> unpublished = new ArrayList<>();
    private final List<Validated> validated = new ArrayList<>();
    private int groupSize = 1;

    public CommandProcessor(
            final LiveCommandValidator validator,
            final ActionExecutor actions,
            final BackgroundCommands background,
            final IncludedCommands included,
            final AgentLog log,
            final Clock clock,
            final AgentMetrics metrics,
            final SiteTranslation site) {
        this.validator = validator;
        this.actions = actions;
        this.background = background;
        this.included = included;
        this.log = log;
        this.clock = clock;
        this.metrics = metrics;
        this.site = site;
    }

    /** An outcome for the next commit, and what follows the commit. */
    private record Unpublished(Outcome outcome, Runnable committed) {}

    /**
     * A command to be executed after the next commit, which contains its {@code Begun}.
     *
     * @param job the job to be started, as it was when the command was validated
     */
    private record Validated(Command command, @Nullable JobObserved job) {}

    /** Takes over the state replayed from Kafka. Answers that were not committed are lost; their commands are examined. */
    public void restore(final Map<CommandId, Instant> replayedBegun, final AnsweredCommands replayedAnswered) {
        unpublished.clear();
        validated.clear();
        begun.putAll(replayedBegun);
        answered.addAll(replayedAnswered);
        background.finished().stream()
                .filter(result -> answered.covers(result.command()))
                .forEach(this::close);
    }

    /** Commits the results of background commands; returns whether there were any. */
    public boolean publishFinished() {
        final List<BackgroundCommands.Finished> results = background.finished();
        results.forEach(result -> answer(result.command(), result.result()));
        publish();
        results.forEach(this::close);
        return !results.isEmpty();
    }

    private void close(final BackgroundCommands.Finished result) {
        background.acknowledge(result);
        validator.finished(result.command().id());
        included.include(result.command().id());
    }

    /** Processes a burst of records; returns whether a command may have changed the queue. */
    public boolean process(final List<AgentLog.Incoming> burst) {
        validator.discardSnapshot();
        boolean changed = false;
        for (final AgentLog.Incoming in : burst) {
            switch (in) {
                case AgentLog.Incoming.CommandReceived received -> {
                    changed |= process(received);
                    included.readUpTo(received.nextOffset());
                }
                case AgentLog.Incoming.Unsupported unsupported -> {
                    final CommandId command = unsupported.refusal().command();
                    if (!answered.contains(command) && !isUnpublished(command)) {
                        unpublished.add(new Unpublished(unsupported.refusal(), () -> {}));
                    }
                    included.readUpTo(unsupported.nextOffset());
                }
                case AgentLog.Incoming.Skipped skipped -> included.readUpTo(skipped.nextOffset());
                case AgentLog.Incoming.PlanReceived s -> {}
            }
        }
        executeValidated();
        publish();
        return changed;
    }

    private boolean process(final AgentLog.Incoming.CommandReceived received) {
        final Command command = received.command();
        if (command.action() instanceof Action.Submit submit) {
            site.learn(submit);
        }
        if (background.isRunning(command.id())) {
            return false;
        }
        if (isUnpublished(command.id())) {
            executeValidated();
            publish();
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
            background.start(command, () -> actions.examine(command, since));
            return false;
        }
        final Optional<Result.Refused> refused = validator.refusal(command);
        if (refused.isPresent()) {
            answer(command, refused.get());
            return false;
        }
        begin(command);
        exclude(received);
        if (!isGrouped(command.action()) || validated.size() >= groupSize) {
            executeValidated();
        }
        return CommandValidator.affectsQueue(command.action());
    }

    /** Whether it takes no cores that another command frees, and its effect can be found out after a crash. */
    private static boolean isGrouped(final Action action) {
        return action instanceof Action.Submit
                || action instanceof Action.Release
                || action instanceof Action.Start
                || action instanceof Action.SetTier;
    }

    private void exclude(final AgentLog.Incoming.CommandReceived received) {
        if (CommandValidator.affectsQueue(received.command().action())) {
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
        unpublished.add(new Unpublished(outcome(command, now, new Result.Begun()), () -> begun.put(command.id(), now)));
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
            publish();
            final List<Validated> group = List.copyOf(validated);
            validated.clear();
            final Instant committedAt = clock.instant();
            boolean late = false;
            int executed = 0;
            for (final Validated next : group) {
                if (!late && executed > 0 && clock.instant().isAfter(committedAt.plus(GROUP_TIME))) {
                    late = true;
                    validator.discardSnapshot();
                }
                if (late) {
                    validateAgain(next.command());
                } else {
                    execute(next);
                    executed++;
                }
            }
            final Duration each = Duration.between(committedAt, clock.instant()).dividedBy(executed);
            groupSize = each.multipliedBy(MAX_GROUP).compareTo(GROUP_TIME) <= 0
                    ? MAX_GROUP
                    : (int) Math.max(1, GROUP_TIME.dividedBy(each));
        }
    }

    private void validateAgain(final Command command) {
        final Optional<Result.Refused> refused = validator.refusal(command);
        if (refused.isPresent()) {
            answer(command, refused.get());
            included.include(command.id());
        } else {
            begin(command);
        }
    }

    private void execute(final Validated next) {
        final Optional<BackgroundCommands.Work> work = actions.backgroundWork(next.command());
        if (work.isPresent()) {
            background.start(next.command(), work.get());
        } else {
            executeNow(next.command(), next.job());
        }
    }

    private void executeNow(final Command command, final @Nullable JobObserved job) {
        final Instant since = begun.getOrDefault(command.id(), clock.instant());
        final Optional<Result> result = execute(command);
        if (result.isEmpty()) {
            LOG.warn("command {}: it is unknown whether it took effect; examining", command.id());
            background.start(command, () -> actions.examine(command, since));
            return;
        }
        answer(command, result.get());
        if (command.action() instanceof Action.Start start && result.get() instanceof Result.Done done) {
            starts.add(command.id(), start.job(), done.tasks(), job, clock.instant());
        } else {
            included.include(command.id());
        }
    }

    private Optional<Result> execute(final Command command) {
        try {
            return actions.execute(command.action());
        } catch (final RuntimeException e) {
            LOG.error("command {} failed in the agent", command.id(), e);
            return Optional.empty();
        }
    }

    private void answer(final Command command, final Result result) {
        unpublished.add(new Unpublished(outcome(command, clock.instant(), result), () -> {
            begun.remove(command.id());
            actions.published(command, result);
        }));
    }

    private boolean isUnpublished(final CommandId command) {
        return unpublished.stream().anyMatch(entry -> entry.outcome().command().equals(command));
    }

    private void publish() {
        if (unpublished.isEmpty()) {
            return;
        }
        log.commit(unpublished.stream()
                .<AgentLog.Entry>map(entry -> new AgentLog.Entry.Put(entry.outcome()))
                .toList());
        final List<Unpublished> committed = List.copyOf(unpublished);
        unpublished.clear();
        for (final Unpublished entry : committed) {
            final Outcome outcome = entry.outcome();
            metrics.outcome(outcome);
            if (outcome.isAnswer()) {
                answered.add(outcome.command(), outcome.answeredAt());
            }
            logAnswer(outcome);
            entry.committed().run();
        }
    }

    /** Logs each command once, with its result. */
    private static void logAnswer(final Outcome outcome) {
        if (!outcome.isAnswer()) {
            return;
        }
        final String reason = switch (outcome.result()) {
            case Result.Begun begun -> "";
            case Result.Done done -> done.detail();
            case Result.Refused refused -> refused.refusal() + ": " + refused.reason();
            case Result.Failed failed -> failed.reason();
            case Result.Unclear unclear -> unclear.reason();
        };
        LOG.atInfo()
                .addKeyValue("jobId", outcome.subject())
                .addKeyValue("cluster", outcome.cluster())
                .addKeyValue("decision", outcome.command())
                .addKeyValue("reason", reason)
                .log(
                        "{} {}",
                        outcome.action(),
                        outcome.result().getClass().getSimpleName().toLowerCase(Locale.ROOT));
    }

    private static Outcome outcome(final Command command, final Instant at, final Result result) {
        return new Outcome(
                command.id(),
                command.cluster(),
                command.issuer(),
                command.action().name(),
                command.action().subject(),
                at,
                result);
    }
}
