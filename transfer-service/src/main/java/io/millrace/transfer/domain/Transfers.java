package io.millrace.transfer.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.Event;
import io.millrace.model.TransferId;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import io.millrace.model.transfer.TransferState.Copying;
import io.millrace.model.transfer.TransferState.Planned;
import io.millrace.model.view.CommandView;
import java.time.Duration;
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
 * All transfers, folded from the log; {@link #decide} says what follows.
 *
 * <p>The number of a copy command is the transfer's own count of tries, which stands on the log: a copy that runs for hours is
 * recognised by its answer however late that comes. Requests wait in an inbox until the next decision: they are consumed once, in the
 * same transaction as the states they lead to. The oldest go first: their ids sort by time of submission.
 */
public final class Transfers {

    /** Stop commands of one copy; each copy has its own numbers, and each of its hours. */
    private static final int STOPS_PER_COPY = 1_000_000;

    private static final int STOPS_PER_HOUR = 10_000;

    private static final String STOP = "it is not wanted any more, or takes too long";

    private final Policy policy;
    private final Orders orders = new Orders();
    private final Receivers receivers;
    private final Map<TransferId, Transfer> live = new TreeMap<>();
    private final Set<TransferId> over = new HashSet<>();
    private final List<Request> inbox = new ArrayList<>();
    private final Tally tally;
    private @Nullable Instant firstDecision;
    private Optional<Instant> wakeAt = Optional.empty();
    private List<Event> said = new ArrayList<>();

    /** @param tally counts what was read and meant nothing */
    public Transfers(final Policy policy, final Tally tally) {
        this.policy = policy;
        this.tally = tally;
        this.receivers = new Receivers(policy);
    }

    public void asked(final Request request) {
        inbox.add(request);
    }

    /** Takes a transfer of the replay. Once this has decided, its own memory is the truth and echoes are not asked. */
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

    public void ordered(final Command command) {
        orders.ordered(command);
    }

    public void answered(final Outcome outcome) {
        orders.answered(outcome);
    }

    public void observed(final RevisionClosed marker) {
        receivers.observed(marker);
    }

    /** What follows from all that was heard; empty if nothing new. What is returned is taken as said. */
    public List<Event> decide(final Instant now) {
        if (firstDecision == null) {
            firstDecision = now;
        }
        orders.forgetBefore(now);
        wakeAt = Optional.empty();
        inbox.forEach(request -> take(request, now));
        inbox.clear();
        List.copyOf(live.values()).forEach(transfer -> follow(transfer, now));
        begin(now);
        final List<Event> all = said;
        said = new ArrayList<>();
        return all;
    }

    /** When to decide next even if nothing is heard. */
    public Optional<Instant> wakeAt() {
        return wakeAt;
    }

    /** Transfers that are not over, by the word of their state. */
    public Map<String, Long> liveByState() {
        return live.values().stream()
                .collect(Collectors.groupingBy(
                        t -> t.state().getClass().getSimpleName(), TreeMap::new, Collectors.counting()));
    }

    private void take(final Request request, final Instant now) {
        switch (request) {
            case Request.TransferAsked asked -> {
                if (live.containsKey(asked.id()) || over.contains(asked.id())) {
                    tally.count("transfer-asked-again");
                    return;
                }
                record(new Transfer(
                        asked.id(),
                        asked.attempt(),
                        asked.owner(),
                        asked.from(),
                        asked.to(),
                        new Planned(0, "asked for"),
                        now));
            }
            case Request.TransferUnwanted unwanted -> {
                final Transfer transfer = live.get(unwanted.id());
                if (transfer == null) {
                    tally.count("unwanted-transfer-not-live");
                    return;
                }
                Lifecycle.unwanted(transfer.state(), unwanted.because()).ifPresent(next -> {
                    final boolean stays = next.getClass() == transfer.state().getClass();
                    record(in(transfer, next, stays ? transfer.since() : now));
                });
            }
            case Request.QuotaAsked quota -> {}
        }
    }

    private void follow(final Transfer transfer, final Instant now) {
        if (!(transfer.state() instanceof Copying copying)) {
            return;
        }
        final CommandId copy = Command.idOf(Issuer.TRANSFER, copyTree(transfer), copying.tries());
        switch (orders.progress(copy, now)) {
            case Progress.Answered answered ->
                move(transfer, Lifecycle.answered(copying, answered.outcome().result(), policy.maxTries()), now);
            case Progress.Open open -> {
                wake(transfer.since().plus(policy.validity()).plus(policy.silentAfter()), now);
                if (copying.unwanted() != null) {
                    stop(transfer, copying, copying.unwanted(), now);
                }
            }
            case Progress.Begun begun -> {
                final Instant deadline = begun.at().plus(policy.copyDeadline());
                wake(deadline, now);
                if (copying.unwanted() != null) {
                    stop(transfer, copying, copying.unwanted(), now);
                } else if (!deadline.isAfter(now)) {
                    stop(transfer, copying, "it did not end within " + policy.copyDeadline(), now);
                }
            }
            case Progress.Nothing nothing -> unheard(transfer, copying, now);
        }
    }

    /**
     * No order and no answer are known. Either the order expired without being begun, or it lies farther back than answers are
     * remembered (this service was away): then the copy may still run, and is stopped before it is ordered again.
     */
    private void unheard(final Transfer transfer, final Copying copying, final Instant now) {
        final Instant remembered =
                Objects.requireNonNull(firstDecision).minus(CommandView.MEMORY).plus(policy.silentAfter());
        if (transfer.since().isBefore(remembered)) {
            stop(transfer, copying, "what became of the copy lies too far back", now);
            return;
        }
        final Instant settled = transfer.since().plus(policy.validity()).plus(policy.silentAfter());
        if (settled.isAfter(now)) {
            wake(settled, now);
            return;
        }
        move(transfer, Lifecycle.over(copying, "the order was not begun within " + policy.validity()), now);
    }

    /** Ends a copy that runs or may run; {@code why} becomes the reason to begin again if it is still wanted. */
    private void stop(final Transfer transfer, final Copying copying, final String why, final Instant now) {
        final Action action = new Action.StopCopy(transfer.id());
        final int first = copying.tries() * STOPS_PER_COPY + hours(transfer, now) * STOPS_PER_HOUR;
        final Optional<CommandId> last = orders.newest(action, copying.tries() * STOPS_PER_COPY, STOPS_PER_COPY);
        switch (last.map(id -> orders.progress(id, now)).orElseGet(Progress.Nothing::new)) {
            case Progress.Open open -> {}
            case Progress.Begun begun -> {}
            case Progress.Nothing nothing ->
                order(transfer, action, last.map(Command::triesOf).orElse(first), STOP, now);
            case Progress.Answered answered -> {
                if (isStopped(answered.outcome().result())) {
                    move(transfer, Lifecycle.over(copying, why), now);
                    return;
                }
                final Instant due = policy.nextTry(answered.outcome().at(), 1);
                if (due.isAfter(now)) {
                    wake(due, now);
                    return;
                }
                order(transfer, action, Command.triesOf(last.orElseThrow()) + 1, STOP, now);
            }
        }
    }

    /** Ids that were answered longer ago than is remembered must not come again: agents carry out none twice. */
    private static int hours(final Transfer transfer, final Instant now) {
        return (int)
                Math.clamp(Duration.between(transfer.since(), now).toHours(), 0, STOPS_PER_COPY / STOPS_PER_HOUR - 1);
    }

    private static boolean isStopped(final Result result) {
        return result instanceof Result.Done
                || (result instanceof Result.Refused refused && refused.why() == Refusal.STALE);
    }

    private void begin(final Instant now) {
        final Places places = new Places(policy);
        live.values().stream().filter(t -> t.state() instanceof Copying).forEach(places::take);
        for (final Transfer transfer : List.copyOf(live.values())) {
            if (transfer.state() instanceof Planned planned) {
                begin(transfer, planned, places, now);
            }
        }
    }

    private void begin(final Transfer transfer, final Planned planned, final Places places, final Instant now) {
        final Instant due = policy.nextTry(transfer.since(), planned.tries());
        if (due.isAfter(now)) {
            wake(due, now);
            return;
        }
        final ClusterId receiver = transfer.to().cluster();
        final Optional<String> obstacle = receivers.silence(receiver, now).or(() -> places.lack(transfer));
        if (obstacle.isPresent()) {
            receivers.silentFrom(receiver, now).ifPresent(at -> wake(at, now));
            final Planned waits = new Planned(planned.tries(), obstacle.get());
            if (!waits.equals(planned)) {
                record(in(transfer, waits, transfer.since()));
            }
            return;
        }
        final Transfer copying = in(transfer, new Copying(planned.tries()), now);
        places.take(copying);
        record(copying);
        order(copying, copyTree(copying), planned.tries(), "asked for by " + transfer.attempt(), now);
        wake(now.plus(policy.validity()).plus(policy.silentAfter()), now);
    }

    private static Action copyTree(final Transfer transfer) {
        return new Action.CopyTree(transfer.id(), transfer.owner(), transfer.from(), transfer.to());
    }

    private void order(
            final Transfer transfer, final Action action, final int number, final String reason, final Instant now) {
        final ClusterId receiver = transfer.to().cluster();
        final RevisionClosed marker = receivers.marker(receiver);
        if (marker == null || receivers.silence(receiver, now).isPresent()) {
            return;
        }
        final Command command = new Command(
                Command.idOf(Issuer.TRANSFER, action, number),
                receiver,
                Issuer.TRANSFER,
                marker.revision(),
                now,
                now.plus(policy.validity()),
                List.of(),
                action,
                reason);
        orders.ordered(command);
        said.add(command);
    }

    private void move(final Transfer transfer, final TransferState next, final Instant now) {
        record(in(transfer, next, now));
        if (transfer.state() instanceof Copying copying) {
            orders.forget(Command.idOf(Issuer.TRANSFER, copyTree(transfer), copying.tries()));
        }
    }

    private void record(final Transfer transfer) {
        keep(transfer);
        said.add(transfer);
    }

    private static Transfer in(final Transfer transfer, final TransferState state, final Instant since) {
        return new Transfer(
                transfer.id(), transfer.attempt(), transfer.owner(), transfer.from(), transfer.to(), state, since);
    }

    private void wake(final Instant at, final Instant now) {
        if (at.isAfter(now) && (wakeAt.isEmpty() || at.isBefore(wakeAt.get()))) {
            wakeAt = Optional.of(at);
        }
    }
}
