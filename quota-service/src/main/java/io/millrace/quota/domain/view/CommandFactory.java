package io.millrace.quota.domain.view;

import io.millrace.decide.RetryPolicy.Pause;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Creates the commands of quota-service to one cluster at one instant. */
public record CommandFactory(QuotaView view, QuotaPolicy policy, Instant now) {

    /** Whether the workload manager answers and the agent is not silent. */
    public boolean canSend() {
        return marker().health() instanceof WlmHealth.Answering
                && Duration.between(marker().observedAt(), now).compareTo(QuotaPolicy.FRESHNESS) <= 0;
    }

    public boolean isPending(final Action action) {
        return view.commands().isUnanswered(action);
    }

    /** The back-off after a failed command; empty if there is none. */
    public Optional<Pause> backOff(final Action action) {
        return QuotaPolicy.RETRY.pause(view.commands(), action, marker(), now);
    }

    public Command command(final Action action, final List<Precondition> preconditions, final String reason) {
        return command(action, QuotaPolicy.VALIDITY, preconditions, reason);
    }

    public Command command(
            final Action action, final Duration validity, final List<Precondition> preconditions, final String reason) {
        return new Command(
                view.commands().nextId(action),
                marker().cluster(),
                Issuer.QUOTA,
                marker().revision(),
                now,
                now.plus(validity),
                preconditions,
                action,
                reason);
    }

    private RevisionClosed marker() {
        return view.assumed().marker();
    }
}
