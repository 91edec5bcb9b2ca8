package io.millrace.transfer.domain;

import io.millrace.decide.CommandView;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The commands of transfer-service and their answers. Unlike {@link CommandView} it tracks a command that has begun for as long as it
 * runs: a copy may take hours and must not be issued twice. An answer counts only from the cluster that got the command.
 */
public final class CommandTracker {

    private record Sent(ClusterId cluster, CommandId id) {

        static Sent of(final Command command) {
            return new Sent(command.cluster(), command.id());
        }

        static Sent of(final Outcome outcome) {
            return new Sent(outcome.cluster(), outcome.command());
        }
    }

    private final Map<Sent, Instant> validUntil = new HashMap<>();
    private final Map<Sent, Instant> begun = new HashMap<>();
    private final Map<Sent, Outcome> answers = new HashMap<>();

    public void issued(final Command command) {
        if (command.issuer() == Issuer.TRANSFER && !answers.containsKey(Sent.of(command))) {
            validUntil.put(Sent.of(command), command.validUntil());
        }
    }

    public void answered(final Outcome outcome) {
        if (outcome.issuer() != Issuer.TRANSFER) {
            return;
        }
        if (outcome.isAnswer()) {
            answers.putIfAbsent(Sent.of(outcome), outcome);
            begun.remove(Sent.of(outcome));
            validUntil.remove(Sent.of(outcome));
        } else if (!answers.containsKey(Sent.of(outcome))) {
            begun.putIfAbsent(Sent.of(outcome), outcome.answeredAt());
        }
    }

    CommandStatus progress(final ClusterId cluster, final CommandId id, final Instant now) {
        final Sent sent = new Sent(cluster, id);
        final Outcome answer = answers.get(sent);
        if (answer != null) {
            return new CommandStatus.Answered(answer);
        }
        final Instant since = begun.get(sent);
        if (since != null) {
            return new CommandStatus.Begun(since);
        }
        final Instant until = validUntil.get(sent);
        return until != null && !until.isBefore(now) ? new CommandStatus.Open() : new CommandStatus.Unknown();
    }

    /** The newest remembered id of this action on a cluster with a number in a range. */
    Optional<CommandId> newest(final ClusterId cluster, final Action action, final int from, final int length) {
        final String prefix = Command.idOf(Issuer.TRANSFER, action, 0).value();
        final String stem = prefix.substring(0, prefix.lastIndexOf(':') + 1);
        return Stream.of(validUntil.keySet(), begun.keySet(), answers.keySet())
                .flatMap(Set::stream)
                .filter(sent -> sent.cluster().equals(cluster))
                .map(Sent::id)
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
    public void forget(final ClusterId cluster, final CommandId id) {
        begun.remove(new Sent(cluster, id));
    }
}
