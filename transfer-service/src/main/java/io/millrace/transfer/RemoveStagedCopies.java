package io.millrace.transfer;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.StagedCopyState.Kept;
import io.millrace.model.transfer.StagedCopyState.Removing;
import io.millrace.transfer.domain.Receivers;
import io.millrace.transfer.domain.RemovalLifecycle;
import io.millrace.transfer.domain.StagedCopies;
import io.millrace.transfer.domain.TransferPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Use case: removes the copies that jobs leave on other clusters, some time after the end of the job.
 *
 * <p>The time of removal is on the log from the end of the job on, so its owner can see it, and a restart changes nothing. A removal can be
 * repeated. One that fails is repeated for as long as the copy exists, at growing intervals.
 */
public final class RemoveStagedCopies {

    private final TransferPolicy policy;
    private final RemovalLifecycle lifecycle;
    private final Receivers receivers;
    private final StagedCopies copies;
    private boolean decided;
    private Optional<Instant> wakeAt = Optional.empty();
    private List<Event> changes = new ArrayList<>();

    public RemoveStagedCopies(final TransferPolicy policy) {
        this.policy = policy;
        this.receivers = new Receivers(policy);
        this.lifecycle = new RemovalLifecycle(policy, receivers);
        this.copies = new StagedCopies(policy);
    }

    public void changed(final GlobalJob job) {
        copies.changed(job);
    }

    /** Applies a state during replay; ignored after the first decision, when the own state is authoritative. */
    public void recorded(final StagedCopy copy) {
        if (!decided) {
            copies.recorded(copy);
        }
    }

    public void issued(final Command command) {
        if (command.action() instanceof Action.RemoveCopy) {
            receivers.issued(command);
        }
    }

    public void answered(final Outcome outcome) {
        if (outcome.action().equals("remove-copy")) {
            receivers.answered(outcome);
        }
    }

    public void observed(final RevisionClosed marker) {
        receivers.observed(marker);
    }

    /** The events to write after the events read since the last decision; empty if there are none. They count as written. */
    public List<Event> decide(final Instant now) {
        decided = true;
        receivers.forgetBefore(now);
        wakeAt = Optional.empty();
        copies.takeNew().forEach(this::record);
        copies.removing().forEach(copy -> follow(copy, now));
        List.copyOf(copies.clusters()).forEach(cluster -> remove(cluster, now));
        final List<Event> all = changes;
        changes = new ArrayList<>();
        return all;
    }

    /** When to decide next even without an event. */
    public Optional<Instant> wakeAt() {
        return wakeAt;
    }

    private void follow(final StagedCopy copy, final Instant now) {
        lifecycle
                .next(copy, (Removing) copy.state(), now)
                .ifPresentOrElse(
                        next -> record(copy.withState(next, now)), () -> wake(policy.settled(copy.since()), now));
    }

    private void remove(final ClusterId cluster, final Instant now) {
        final RevisionClosed marker = receivers.marker(cluster);
        if (marker == null || receivers.unavailability(cluster, now).isPresent()) {
            return; // its next revision leads to the next decision
        }
        for (final StagedCopy copy : copies.due(cluster, now)) {
            final int failures = ((Kept) copy.state()).failures();
            record(copy.withState(new Removing(failures), now));
            final Action action = RemovalLifecycle.action(copy);
            final Command command = new Command(
                    Command.idOf(Issuer.TRANSFER, action, failures),
                    cluster,
                    Issuer.TRANSFER,
                    marker.revision(),
                    now,
                    now.plus(policy.commandValidity()),
                    List.of(),
                    action,
                    "its job ended, and its retention is over");
            receivers.issued(command);
            changes.add(command);
            wake(policy.settled(now), now);
        }
        copies.nextDue(cluster).ifPresent(due -> wake(due, now));
    }

    private void record(final StagedCopy copy) {
        copies.put(copy);
        changes.add(copy);
    }

    private void wake(final Instant at, final Instant now) {
        if (at.isAfter(now) && (wakeAt.isEmpty() || at.isBefore(wakeAt.get()))) {
            wakeAt = Optional.of(at);
        }
    }
}
