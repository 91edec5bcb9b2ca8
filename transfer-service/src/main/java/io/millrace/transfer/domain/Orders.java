package io.millrace.transfer.domain;

import io.millrace.model.CommandId;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.view.CommandView;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The commands of this service and what was answered. Unlike {@link CommandView} it remembers what was begun for as long as it takes:
 * a copy may run for hours, and must not be ordered twice meanwhile.
 */
final class Orders {

    private final Map<CommandId, Instant> validUntil = new HashMap<>();
    private final Map<CommandId, Instant> begun = new HashMap<>();
    private final Map<CommandId, Outcome> answers = new HashMap<>();

    void ordered(final Command command) {
        if (command.issuer() == Issuer.TRANSFER) {
            validUntil.put(command.id(), command.validUntil());
        }
    }

    void answered(final Outcome outcome) {
        if (outcome.issuer() != Issuer.TRANSFER) {
            return;
        }
        if (outcome.isAnswer()) {
            answers.putIfAbsent(outcome.command(), outcome);
            begun.remove(outcome.command());
        } else if (!answers.containsKey(outcome.command())) {
            begun.putIfAbsent(outcome.command(), outcome.at());
        }
    }

    Progress progress(final CommandId id, final Instant now) {
        final Outcome answer = answers.get(id);
        if (answer != null) {
            return new Progress.Answered(answer.result());
        }
        final Instant since = begun.get(id);
        if (since != null) {
            return new Progress.Begun(since);
        }
        final Instant until = validUntil.get(id);
        return until != null && !until.isBefore(now) ? new Progress.Open() : new Progress.Nothing();
    }

    /** When this action on this subject was answered last. */
    Optional<Instant> lastAnswer(final String subject, final String action) {
        return answers.values().stream()
                .filter(answer ->
                        answer.subject().equals(subject) && answer.action().equals(action))
                .map(Outcome::at)
                .max(Comparator.naturalOrder());
    }

    void forgetBefore(final Instant now) {
        final Instant horizon = now.minus(CommandView.MEMORY);
        validUntil.values().removeIf(until -> until.isBefore(horizon));
        answers.values().removeIf(answer -> answer.at().isBefore(horizon));
    }

    /** A transfer that is over: what was begun for it no longer matters. */
    void forget(final CommandId id) {
        begun.remove(id);
    }
}
