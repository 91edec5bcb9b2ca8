package io.millrace.agent.command;

import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentMetrics;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.agent.domain.CommandValidator;
import io.millrace.agent.domain.IncludedCommands;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes commands in their order: judges each on the live cluster, commits {@code Begun}, acts, commits the answer. A decision that was begun
 * or answered in any life of this agent is never carried out again; one that was begun and not answered is looked at.
 */
public final class CommandProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(CommandProcessor.class);

    private final LiveCommandValidator validator;
    private final ActionExecutor actions;
    private final BackgroundCommands background;
    private final IncludedCommands included;
    private final AgentLog log;
    private final Clock clock;
    private final AgentMetrics counts;
    private final SiteTranslation site;
    private final Map<CommandId, Instant> begun = new HashMap<>();
    private final AnsweredCommands answered = new AnsweredCommands();
    private final UnconfirmedStarts starts = new UnconfirmedStarts();

    public CommandProcessor(
            final LiveCommandValidator judge,
            final ActionExecutor actions,
            final BackgroundCommands background,
            final IncludedCommands included,
            final AgentLog log,
            final Clock clock,
            final AgentMetrics counts,
            final SiteTranslation site) {
        this.validator = judge;
        this.actions = actions;
        this.background = background;
        this.included = included;
        this.log = log;
        this.clock = clock;
        this.counts = counts;
        this.site = site;
    }

    /** Takes up what stands on the log. */
    public void restore(final Map<CommandId, Instant> begunEver, final AnsweredCommands answeredEver) {
        begun.putAll(begunEver);
        answered.addAll(answeredEver);
        background.finished().stream()
                .filter(result -> answered.covers(result.command()))
                .forEach(this::close);
    }

    /** Commits the results of long commands; returns whether there were any. */
    public boolean publishFinished() {
        final List<BackgroundCommands.Finished> results = background.finished();
        for (final BackgroundCommands.Finished result : results) {
            answer(result.command(), result.result());
            close(result);
        }
        return !results.isEmpty();
    }

    private void close(final BackgroundCommands.Finished result) {
        background.acknowledge(result);
        validator.finished(result.command().id());
        included.include(result.command().id());
    }

    /** Takes a burst; returns whether anything was done to the queue. */
    public boolean process(final List<AgentLog.Incoming> burst) {
        validator.discardSnapshot();
        boolean acted = false;
        for (final AgentLog.Incoming in : burst) {
            switch (in) {
                case AgentLog.Incoming.CommandReceived order -> {
                    acted |= process(order);
                    included.readUpTo(order.nextOffset());
                }
                case AgentLog.Incoming.Unsupported poison -> {
                    if (!answered.contains(poison.refusal().command())) {
                        publish(poison.refusal());
                    }
                    included.readUpTo(poison.nextOffset());
                }
                case AgentLog.Incoming.Skipped passed -> included.readUpTo(passed.nextOffset());
                case AgentLog.Incoming.PlanReceived s -> {}
            }
        }
        return acted;
    }

    private boolean process(final AgentLog.Incoming.CommandReceived order) {
        final Command command = order.command();
        if (command.action() instanceof Action.Submit submit) {
            site.learn(submit);
        }
        if (background.isRunning(command.id())) {
            return false;
        }
        if (answered.covers(command)) {
            if (!starts.contains(command.id())) {
                included.include(command.id());
            }
            return false;
        }
        final Instant since = begun.get(command.id());
        if (since != null) {
            LOG.warn("{} was begun at {} and never answered: looking what became of it", command.id(), since);
            open(order);
            background.start(command, () -> actions.examine(command, since));
            return false;
        }
        final Optional<Result> refused = validator.refusal(command);
        if (refused.isPresent()) {
            answer(command, refused.get());
            return false;
        }
        begin(command);
        open(order);
        return start(command);
    }

    private void open(final AgentLog.Incoming.CommandReceived order) {
        if (CommandValidator.affectsQueue(order.command().action())) {
            included.exclude(order.command().id(), order.offset());
        }
    }

    /** Up to which command this observation, taken after the last of them was handled, shows the effects. */
    public long includedIn(final Observation seen) {
        starts.take(seen).forEach(included::include);
        return included.offset();
    }

    private void begin(final Command command) {
        final Instant now = clock.instant();
        publish(outcome(command, now, new Result.Begun()));
        begun.put(command.id(), now);
    }

    private boolean start(final Command command) {
        validator.started(command);
        final Optional<BackgroundCommands.Work> longWork = actions.backgroundWork(command);
        if (longWork.isPresent()) {
            background.start(command, longWork.get());
            validator.applied(command.action());
        } else {
            executeNow(command);
        }
        return CommandValidator.affectsQueue(command.action());
    }

    private void executeNow(final Command command) {
        final Instant since = begun.getOrDefault(command.id(), clock.instant());
        final Optional<Result> result = execute(command);
        if (result.isEmpty()) {
            LOG.warn("{}: the workload manager's answer does not tell whether it took effect; looking", command.id());
            background.start(command, () -> actions.examine(command, since));
            return;
        }
        answer(command, result.get());
        if (command.action() instanceof Action.Start start && result.get() instanceof Result.Done) {
            starts.add(command.id(), start.job(), clock.instant());
        } else {
            included.include(command.id());
        }
        validator.applied(command.action());
    }

    private Optional<Result> execute(final Command command) {
        try {
            return actions.execute(command.action());
        } catch (final RuntimeException e) {
            LOG.error("{} broke off", command.id(), e);
            return Optional.empty();
        }
    }

    private void answer(final Command command, final Result result) {
        publish(outcome(command, clock.instant(), result));
        begun.remove(command.id());
        actions.published(command, result);
    }

    private void publish(final Outcome outcome) {
        log.commit(List.of(new AgentLog.Entry.Put(outcome)));
        counts.outcome(outcome);
        if (outcome.isAnswer()) {
            answered.add(outcome.command(), outcome.answeredAt());
        }
        LOG.info("{} {}", outcome.command(), outcome.result());
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
