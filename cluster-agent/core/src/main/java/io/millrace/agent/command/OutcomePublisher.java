package io.millrace.agent.command;

import io.millrace.agent.AgentLog;
import io.millrace.agent.AgentMetrics;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.agent.domain.ShortOutcome;
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
        add(command.outcome(result, at), committed);
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
        final List<Unpublished> together = List.copyOf(unpublished);
        try {
            commit(together);
        } catch (final AgentLog.Unwritable e) {
            together.forEach(this::publishAlone);
        }
    }

    /** Replaces an outcome that can never be written by a short one, because others wait behind it. */
    private void publishAlone(final Unpublished entry) {
        try {
            commit(List.of(entry));
        } catch (final AgentLog.Unwritable e) {
            final Outcome outcome = entry.outcome();
            LOG.atError()
                    .addKeyValue("jobId", outcome.subject())
                    .addKeyValue("decision", outcome.command())
                    .addKeyValue("reason", e.getMessage())
                    .log("the answer cannot be written; a short one replaces it");
            commit(List.of(new Unpublished(ShortOutcome.of(outcome), entry.committed())));
        }
    }

    private void commit(final List<Unpublished> entries) {
        log.commit(entries.stream()
                .<AgentLog.Entry>map(entry -> new AgentLog.Entry.Put(entry.outcome()))
                .toList());
        unpublished.clear();
        entries.forEach(this::committed);
    }

    private void committed(final Unpublished entry) {
        final Outcome outcome = entry.outcome();
        metrics.outcome(outcome);
        if (outcome.isAnswer()) {
            answered.add(outcome.command(), outcome.answeredAt());
            logAnswer(outcome);
        }
        try {
            entry.committed().run();
        } catch (final RuntimeException e) { // the outcome is on the log, and others wait behind it
            LOG.atError()
                    .addKeyValue("decision", outcome.command())
                    .setCause(e)
                    .log("internal error after the commit of an outcome");
        }
    }

    private static void logAnswer(final Outcome outcome) {
        final String reason = switch (outcome.result()) {
            case Result.Begun begun -> "";
            case Result.Done done -> done.detail();
            case Result.Refused refused -> refused.refusal().code() + ": " + refused.reason();
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
