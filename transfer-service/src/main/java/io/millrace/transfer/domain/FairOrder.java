package io.millrace.transfer.domain;

import io.millrace.model.UserName;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState.Planned;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The order in which planned transfers get slots: the next one belongs to the owner with the fewest running copies. Among these owners, and
 * among the transfers of one owner, the oldest goes first. So a user with a thousand transfers delays another user by one copy at most.
 */
public final class FairOrder {

    /** The waiting transfers of an owner, and the slots that the owner had when the line was queued. */
    private record Line(int running, Queue<Transfer> waiting) {
        String first() {
            return waiting.element().key();
        }
    }

    private final TransferSlots slots;
    private final PriorityQueue<Line> lines =
            new PriorityQueue<>(Comparator.comparingInt(Line::running).thenComparing(Line::first));
    private @Nullable UserName last;
    private @Nullable Queue<Transfer> rest;

    /**
     * @param transfers oldest first; only planned ones are returned
     * @param slots taken between two calls of {@link #next}, if the transfer starts
     */
    public FairOrder(final Collection<Transfer> transfers, final TransferSlots slots) {
        this.slots = slots;
        final Map<UserName, Queue<Transfer>> byOwner = new HashMap<>();
        transfers.stream()
                .filter(transfer -> transfer.state() instanceof Planned)
                .forEach(transfer -> byOwner.computeIfAbsent(transfer.owner(), owner -> new ArrayDeque<>())
                        .add(transfer));
        byOwner.forEach(this::queue);
    }

    private void queue(final UserName owner, final Queue<Transfer> waiting) {
        if (!waiting.isEmpty()) {
            lines.add(new Line(slots.takenBy(owner), waiting));
        }
    }

    /** Each planned transfer once; null after the last one. */
    public @Nullable Transfer next() {
        if (last != null && rest != null) {
            queue(last, rest);
        }
        final Line line = lines.poll();
        if (line == null) {
            last = null;
            return null;
        }
        final Transfer transfer = line.waiting().remove();
        last = transfer.owner();
        rest = line.waiting();
        return transfer;
    }
}
