package io.millrace.model.command;

import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.Event;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * A command to the agent of one cluster.
 *
 * @param basedOn revision of the cluster the decision was taken on; it only bounds age, the preconditions decide
 * @param issuedAt the issuer's clock
 * @param validUntil after this instant (on the agent's clock) the command is refused as expired; at most one hour after issue
 * @param reason one sentence for people: why this was decided, with its figures
 */
public record Command(
        CommandId id,
        ClusterId cluster,
        Issuer issuer,
        long basedOn,
        Instant issuedAt,
        Instant validUntil,
        List<Precondition> preconditions,
        Action action,
        String reason)
        implements Event {

    public Command {
        preconditions = List.copyOf(preconditions);
    }

    /** The same command with another action. */
    public Command with(final Action other) {
        return new Command(id, cluster, issuer, basedOn, issuedAt, validUntil, preconditions, other, reason);
    }

    /** For those who assume its effect: a script of 256 KiB does not matter to them. */
    public Command withoutTexts() {
        return switch (action) {
            case Action.Submit submit -> with(submit.with(submit.spec().withoutTexts()));
            case Action.Make make -> with(make.with(make.spec().withoutTexts()));
            default -> this;
        };
    }

    /** The outcome of this command, answered or begun at the given time. */
    public Outcome outcome(final Result result, final Instant at) {
        return new Outcome(id, cluster, issuer, action.name(), action.subject(), at, result);
    }

    /** The id of a decision: the same decision has the same id, a new try after an answer another one. */
    public static CommandId idOf(final Issuer issuer, final Action action, final int answeredTries) {
        return CommandId.of(issuer.name().toLowerCase(Locale.ROOT) + ":" + action.name() + ":" + action.subject() + ":"
                + answeredTries);
    }

    /** The number of answered tries that an id carries; 0 if it was not made by {@link #idOf}. */
    public static int triesOf(final CommandId id) {
        final String number = id.value().substring(id.value().lastIndexOf(':') + 1);
        return number.matches("\\d{1,9}") ? Integer.parseInt(number) : 0;
    }

    @Override
    public String key() {
        return cluster.value();
    }
}
