package io.millrace.transfer.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.transfer.Transfer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The places for copies: so many at a time per pair of clusters and per receiving cluster. */
public final class TransferSlots {

    /** Two clusters, in either direction: they share the line between them. */
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

    /** Why there is no place for it now; empty if there is one. */
    public Optional<String> obstacle(final Transfer transfer) {
        if (perPair.getOrDefault(Pair.of(transfer), 0) >= policy.perPair()) {
            return Optional.of("waits for one of the " + policy.perPair() + " places between " + Pair.of(transfer));
        }
        if (perReceiver.getOrDefault(transfer.to().cluster(), 0) >= policy.perReceiver()) {
            return Optional.of("waits for one of the " + policy.perReceiver() + " places to "
                    + transfer.to().cluster());
        }
        return Optional.empty();
    }
}
