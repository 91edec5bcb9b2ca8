package io.millrace.transfer;

import io.millrace.decide.CommandView;
import io.millrace.decide.IgnoredRecords;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.TransferId;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState.Copying;
import io.millrace.model.transfer.TransferState.Planned;
import io.millrace.transfer.domain.CopyWatch;
import io.millrace.transfer.domain.FairOrder;
import io.millrace.transfer.domain.Receivers;
import io.millrace.transfer.domain.TransferLifecycle;
import io.millrace.transfer.domain.TransferPolicy;
import io.millrace.transfer.domain.TransferSlots;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Use case: starts, watches and ends the transfers between clusters. Folds them from the log; {@link #decide} returns what to write next.
 *
 * <p>The number of a copy command is the number of failed copies of its transfer, which is on the log; so the answer to a copy that runs
 * for hours is recognised however late it comes. Requests wait in an inbox until the next decision, because they are consumed once, in
 * the same transaction as the states they lead to. The owner with the fewest running copies goes first.
 */
public final class ManageTransfers {

    private static final String STOP = "the transfer was cancelled or takes too long";

    private final TransferPolicy policy;
    private final Receivers receivers;
    private final CopyWatch watch;
    private final Map<TransferId, Transfer> live = new TreeMap<>();
    private final Set<TransferId> over = new HashSet<>();
    private final List<Request> inbox = new ArrayList<>();
    private final IgnoredRecords ignored;
    private @Nullable Instant firstDecision;
    private Optional<Instant> wakeAt = Optional.empty();
    private List<Event> changes = new ArrayList<>();

    /** @param ignored counts ignored records */
    public ManageTransfers(final TransferPolicy policy, final IgnoredRecords ignored) {
        this.policy = policy;
        this.ignored = ignored;
        this.receivers = new Receivers(policy);
        this.watch = new CopyWatch(policy, receivers);
    }

    public void requested(final Request request) {
        inbox.add(request);
    }

    /** Applies a transfer during replay; ignored after the first decision, when the own state is authoritative. */
    public void recorded(final Transfer transfer) {
        if (firstDecision == null) {
            keep(transfer);
        }
    }

    private void keep(final Transfer transfer) {
        if (transfer.state().isFinal()) {
            live.remove(transfer.id());
            over.add(transfer.id());
        } else if (!over.contains(transfer.id())) {
            live.put(transfer.id(), transfer);
        }
    }

    public void issued(final Command command) {
        receivers.issued(command);
    }

    public void answered(final Outcome outcome) {
        receivers.answered(outcome);
    }

    public void observed(final RevisionClosed marker) {
        receivers.observed(marker);
    }

    /** The events to write after the events read since the last decision; empty if there are none. They count as written. */
    public List<Event> decide(final Instant now) {
        if (firstDecision == null) {
            firstDecision = now;
        }
        receivers.forgetBefore(now);
        wakeAt = Optional.empty();
        inbox.forEach(request -> take(request, now));
        inbox.clear();
        List.copyOf(live.values()).forEach(transfer -> follow(transfer, now));
        start(now);
        final List<Event> all = changes;
        changes = new ArrayList<>();
        return all;
    }

    /** When to decide next even without an event. */
    public Optional<Instant> wakeAt() {
        return wakeAt;
    }

    /** The number of active transfers by state. */
    public Map<String, Long> liveByState() {
        return live.values().stream()
                .collect(Collectors.groupingBy(
                        t -> t.state().getClass().getSimpleName(), TreeMap::new, Collectors.counting()));
    }

    private void take(final Request request, final Instant now) {
        switch (request) {
            case Request.TransferRequested requested -> {
                if (live.containsKey(requested.id()) || over.contains(requested.id())) {
                    ignored.count("transfer-requested-again");
                    return;
                }
                record(new Transfer(
                        requested.id(),
                        requested.attempt(),
                        requested.owner(),
                        requested.from(),
                        requested.to(),
                        new Planned(0, "requested"),
                        now,
                        requested.keepChangedSince(),
                        requested.filter(),
                        requested.signature()));
            }
            case Request.TransferCancelRequested cancel -> {
                final Transfer transfer = live.get(cancel.id());
                if (transfer == null) {
                    ignored.count("cancel-of-inactive-transfer");
                    return;
                }
                TransferLifecycle.cancelled(transfer.state(), cancel.reason()).ifPresent(next -> {
                    final boolean stays = next.getClass() == transfer.state().getClass();
                    record(transfer.withState(next, stays ? transfer.since() : now));
                });
            }
            case Request.TransferReleaseRequested release -> {
                final Transfer transfer = live.get(release.id());
                if (transfer != null) {
                    TransferLifecycle.released(transfer.state(), release.by())
                            .ifPresent(next -> record(transfer.withState(next, now)));
                }
            }
            case Request.QuotaRequested quota -> {}
            case Request.BudgetRequested budget -> {}
            case Request.PriorityRulesRequested priority -> {}
            case Request.ClassModelRequested model -> {}
            case Request.AvailabilityRequested change -> {}
        }
    }

    private void follow(final Transfer transfer, final Instant now) {
        if (!(transfer.state() instanceof Copying copying)) {
            return;
        }
        final Instant remembered = Objects.requireNonNull(firstDecision).minus(CommandView.RETENTION);
        switch (watch.look(transfer, copying, remembered, now)) {
            case CopyWatch.Step.Move move -> record(transfer.withState(move.next(), now));
            case CopyWatch.Step.Stop stop -> {
                issue(transfer, new Action.StopCopy(transfer.id()), stop.number(), STOP, now);
                wake(policy.settled(now), now);
            }
            case CopyWatch.Step.Wait wait -> {
                report(transfer, copying);
                wait.until().ifPresent(until -> wake(until, now));
            }
        }
    }

    private void report(final Transfer transfer, final Copying copying) {
        receivers
                .progress(transfer)
                .filter(reached -> !reached.equals(copying.progress()))
                .ifPresent(reached -> record(transfer.withState(copying.at(reached), transfer.since())));
    }

    private void start(final Instant now) {
        final TransferSlots slots = new TransferSlots(policy);
        live.values().stream().filter(t -> t.state() instanceof Copying).forEach(slots::take);
        live.values().stream().filter(transfer -> isDue(transfer, now)).forEach(slots::expect);
        final FairOrder order = new FairOrder(live.values(), slots);
        for (Transfer next = order.next(); next != null; next = order.next()) {
            start(next, (Planned) next.state(), slots, now);
        }
    }

    private boolean isDue(final Transfer transfer, final Instant now) {
        return transfer.state() instanceof Planned planned
                && !policy.nextTry(transfer.since(), planned.failures()).isAfter(now)
                && receivers.unavailability(transfer.to().cluster(), now).isEmpty();
    }

    private void start(final Transfer transfer, final Planned planned, final TransferSlots slots, final Instant now) {
        final Instant due = policy.nextTry(transfer.since(), planned.failures());
        if (due.isAfter(now)) {
            wake(due, now);
            return;
        }
        final ClusterId receiver = transfer.to().cluster();
        final Optional<String> obstacle =
                receivers.unavailability(receiver, now).or(() -> slots.obstacle(transfer));
        if (obstacle.isPresent()) {
            receivers.silentAt(receiver, now).ifPresent(at -> wake(at, now));
            final Planned waits = new Planned(planned.failures(), obstacle.get());
            if (!waits.equals(planned)) {
                record(transfer.withState(waits, transfer.since()));
            }
            return;
        }
        final Transfer copying =
                transfer.withState(new Copying(planned.failures(), null, null, slots.bandwidth_kib_s(transfer)), now);
        slots.take(copying);
        record(copying);
        issue(copying, CopyWatch.copyTree(copying), planned.failures(), "requested by " + transfer.attempt(), now);
        wake(policy.settled(now), now);
    }

    private void issue(
            final Transfer transfer, final Action action, final int number, final String reason, final Instant now) {
        final ClusterId receiver = transfer.to().cluster();
        final RevisionClosed marker = receivers.marker(receiver);
        if (marker == null || receivers.unavailability(receiver, now).isPresent()) {
            return;
        }
        final Command command = new Command(
                Command.idOf(Issuer.TRANSFER, action, number),
                receiver,
                Issuer.TRANSFER,
                marker.revision(),
                now,
                now.plus(policy.commandValidity()),
                List.of(),
                action,
                reason);
        receivers.issued(command);
        changes.add(command);
    }

    private void record(final Transfer transfer) {
        keep(transfer);
        changes.add(transfer);
    }

    private void wake(final Instant at, final Instant now) {
        if (at.isAfter(now) && (wakeAt.isEmpty() || at.isBefore(wakeAt.get()))) {
            wakeAt = Optional.of(at);
        }
    }
}
