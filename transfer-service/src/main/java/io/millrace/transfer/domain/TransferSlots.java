package io.millrace.transfer.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.transfer.Transfer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The slots for concurrent copies, limited per pair of clusters and per receiving cluster. */
public final class TransferSlots {

    /** Two clusters, in either direction: they share the link between them. */
    private record Pair(ClusterId one, ClusterId other) {
        static Pair of(final Transfer transfer) {
            final ClusterId from = transfer.from().cluster();
            final ClusterId to = transfer.to().cluster();
            return from.compareTo(to) <= 0 ? new Pair(from, to) : new Pair(to, from);
        }

        @Override
        public String toString() {
            return one + " and " + other;
        }
    }

    private final TransferPolicy policy;
    private final Map<Pair, Integer> perPair = new HashMap<>();
    private final Map<ClusterId, Integer> perReceiver = new HashMap<>();

    public TransferSlots(final TransferPolicy policy) {
        this.policy = policy;
    }

    public void take(final Transfer transfer) {
        perPair.merge(Pair.of(transfer), 1, Integer::sum);
        perReceiver.merge(transfer.to().cluster(), 1, Integer::sum);
    }

    /** Why no slot is free for the transfer; empty if one is. */
    public Optional<String> obstacle(final Transfer transfer) {
        if (perPair.getOrDefault(Pair.of(transfer), 0) >= policy.perPair()) {
            return Optional.of("waits for one of the " + policy.perPair() + " slots between " + Pair.of(transfer));
        }
        if (perReceiver.getOrDefault(transfer.to().cluster(), 0) >= policy.perReceiver()) {
            return Optional.of("waits for one of the " + policy.perReceiver() + " slots to "
                    + transfer.to().cluster());
        }
        return Optional.empty();
    }
}
