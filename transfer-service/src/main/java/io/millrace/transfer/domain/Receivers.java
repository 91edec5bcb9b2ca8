package io.millrace.transfer.domain;

import io.millrace.decide.CommandView;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.transfer.CopyProgress;
import io.millrace.model.transfer.Transfer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The newest revision of each cluster, which shows whether its agent is available, and the commands to it with their answers. */
public final class Receivers {

    private final Map<ClusterId, RevisionClosed> newest = new HashMap<>();
    private final Map<ClusterId, CommandView> commands = new HashMap<>();
    private final TransferPolicy policy;

    public Receivers(final TransferPolicy policy) {
        this.policy = policy;
    }

    public void observed(final RevisionClosed marker) {
        newest.put(marker.cluster(), marker);
    }

    public void issued(final Command command) {
        if (command.issuer() == Issuer.TRANSFER) {
            // The effect of a copy on the cluster's resources is not assumed, so the offset does not matter.
            commands(command.cluster()).apply(command, CommandView.NOT_YET_KNOWN);
        }
    }

    public void answered(final Outcome outcome) {
        if (outcome.issuer() == Issuer.TRANSFER) {
            commands(outcome.cluster()).apply(outcome);
        }
    }

    /** The commands of transfer-service to one cluster. */
    CommandView commands(final ClusterId cluster) {
        return commands.computeIfAbsent(cluster, c -> new CommandView(Issuer.TRANSFER));
    }

    public void forgetBefore(final Instant now) {
        commands.values().forEach(view -> view.forgetBefore(now));
    }

    @Nullable
    public RevisionClosed marker(final ClusterId cluster) {
        return newest.get(cluster);
    }

    /** How far the copy has come, as the receiving agent reported last. */
    public Optional<CopyProgress> progress(final Transfer transfer) {
        final RevisionClosed marker = newest.get(transfer.to().cluster());
        return marker == null
                ? Optional.empty()
                : marker.allCopies().stream()
                        .filter(copy -> copy.transfer().equals(transfer.id()))
                        .findFirst();
    }

    /**
     * Why no command can be issued to the cluster now; empty if its agent reported recently. An unavailable workload manager is no
     * obstacle, because a copy does not need it.
     */
    public Optional<String> unavailability(final ClusterId cluster, final Instant now) {
        final RevisionClosed marker = newest.get(cluster);
        if (marker == null) {
            return Optional.of("the agent of " + cluster + " has not reported yet");
        }
        final boolean silent =
                marker.observedAt().plus(policy.unavailableAfter()).isBefore(now);
        return silent ? Optional.of("the agent of " + cluster + " is unavailable") : Optional.empty();
    }

    public Optional<Instant> silentAt(final ClusterId cluster, final Instant now) {
        return Optional.ofNullable(newest.get(cluster))
                .map(marker ->
                        marker.observedAt().plus(policy.unavailableAfter()).plusMillis(1))
                .filter(from -> from.isAfter(now));
    }
}
