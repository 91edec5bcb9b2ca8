package io.millrace.transfer.domain;

import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.view.CommandView;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The commands of transfer-service and their answers. Unlike {@link CommandView} it tracks a command that has begun for as long as it
 * runs: a copy may take hours and must not be issued twice.
 */
public final class CommandTracker {

    private final Map<CommandId, Instant> validUntil = new HashMap<>();
    private final Map<CommandId, Instant> begun = new HashMap<>();
    private final Map<CommandId, Outcome> answers = new HashMap<>();

    public void issued(final Command command) {
        if (command.issuer() == Issuer.TRANSFER && !answers.containsKey(command.id())) {
            validUntil.put(command.id(), command.validUntil());
        }
    }

    public void answered(final Outcome outcome) {
        if (outcome.issuer() != Issuer.TRANSFER) {
            return;
        }
        if (outcome.isAnswer()) {
            answers.putIfAbsent(outcome.command(), outcome);
            begun.remove(outcome.command());
            validUntil.remove(outcome.command());
        } else if (!answers.containsKey(outcome.command())) {
            begun.putIfAbsent(outcome.command(), outcome.answeredAt());
        }
    }

    CommandStatus progress(final CommandId id, final Instant now) {
        final Outcome answer = answers.get(id);
        if (answer != null) {
            return new CommandStatus.Answered(answer);
        }
        final Instant since = begun.get(id);
        if (since != null) {
            return new CommandStatus.Begun(since);
        }
        final Instant until = validUntil.get(id);
        return until != null && !until.isBefore(now) ? new CommandStatus.Open() : new CommandStatus.Unknown();
    }

    /** The newest remembered id of this action with a number in a range. */
    Optional<CommandId> newest(final Action action, final int from, final int length) {
        final String prefix = Command.idOf(Issuer.TRANSFER, action, 0).value();
        final String stem = prefix.substring(0, prefix.lastIndexOf(':') + 1);
        return Stream.of(validUntil.keySet(), begun.keySet(), answers.keySet())
                .flatMap(Set::stream)
                .filter(id -> id.value().startsWith(stem))
                .filter(id -> Command.triesOf(id) >= from && Command.triesOf(id) - from < length)
                .max(Comparator.comparingInt(Command::triesOf));
    }

    public void forgetBefore(final Instant now) {
        final Instant horizon = now.minus(CommandView.RETENTION);
        validUntil.values().removeIf(until -> until.isBefore(horizon));
        answers.values().removeIf(answer -> answer.answeredAt().isBefore(horizon));
    }

    /** Forgets the commands of a transfer that has ended. */
    public void forget(final CommandId id) {
        begun.remove(id);
    }
}
