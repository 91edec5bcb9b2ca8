package io.millrace.agent.command;

import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentMetrics;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.model.CommandId;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects outcomes of commands and commits them in one transaction. Counts each outcome and logs each answer once. */
final class OutcomePublisher {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomePublisher.class);

    private final AgentLog log;
    private final AgentMetrics metrics;
    private final AnsweredCommands answered;
    private final List<Unpublished> unpublished = new ArrayList<>();

    /** @param answered receives the committed answers */
    OutcomePublisher(final AgentLog log, final AgentMetrics metrics, final AnsweredCommands answered) {
        this.log = log;
        this.metrics = metrics;
        this.answered = answered;
    }

    /** An outcome for the next commit, and what follows the commit. */
    private record Unpublished(Outcome outcome, Runnable committed) {}

    void add(final Command command, final Instant at, final Result result, final Runnable committed) {
        add(
                new Outcome(
                        command.id(),
                        command.cluster(),
                        command.issuer(),
                        command.action().name(),
                        command.action().subject(),
                        at,
                        result),
                committed);
    }

    void add(final Outcome outcome, final Runnable committed) {
        unpublished.add(new Unpublished(outcome, committed));
    }

    /** Forgets the outcomes that were not committed. */
    void discard() {
        unpublished.clear();
    }

    boolean isUnpublished(final CommandId command) {
        return unpublished.stream().anyMatch(entry -> entry.outcome().command().equals(command));
    }

    void publish() {
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
                logAnswer(outcome);
            }
            entry.committed().run();
        }
    }

    private static void logAnswer(final Outcome outcome) {
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
}
