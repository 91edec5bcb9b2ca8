package io.millrace.transfer.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.transfer.Transfer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The slots for concurrent copies, limited per pair of clusters, per receiving cluster and in total. One owner never gets the last slot of
 * several: a copy of hours does not delay the short ones of other users.
 */
public final class TransferSlots {

    /** What copies share: all that have the same text. */
    private record Share(String slots, int limit) {

        /** Two clusters, in either direction: they share the link between them. */
        static Share ofPair(final Transfer transfer, final TransferPolicy policy) {
            final ClusterId from = transfer.from().cluster();
            final ClusterId to = transfer.to().cluster();
            final boolean sorted = from.compareTo(to) <= 0;
            return new Share("between " + (sorted ? from : to) + " and " + (sorted ? to : from), policy.perPair());
        }

        static Stream<Share> all(final Transfer transfer, final TransferPolicy policy) {
            return Stream.of(
                    ofPair(transfer, policy),
                    new Share("to " + transfer.to().cluster(), policy.perReceiver()),
                    new Share("of all clusters", policy.total()));
        }

        int limitOfOwner() {
            return Math.max(1, limit - 1);
        }
    }

    private record OwnersShare(Share share, UserName owner) {}

    private final TransferPolicy policy;
    private final Map<Share, Integer> taken = new HashMap<>();
    private final Map<OwnersShare, Integer> takenByOwner = new HashMap<>();
    private final Map<UserName, Integer> perOwner = new HashMap<>();

    public TransferSlots(final TransferPolicy policy) {
        this.policy = policy;
    }

    public void take(final Transfer transfer) {
        Share.all(transfer, policy).forEach(share -> {
            taken.merge(share, 1, Integer::sum);
            takenByOwner.merge(new OwnersShare(share, transfer.owner()), 1, Integer::sum);
        });
        perOwner.merge(transfer.owner(), 1, Integer::sum);
    }

    /** How many slots the transfers of an owner have. */
    int takenBy(final UserName owner) {
        return perOwner.getOrDefault(owner, 0);
    }

    /** Why no slot is free for the transfer; empty if one is. */
    public Optional<String> obstacle(final Transfer transfer) {
        return Share.all(transfer, policy)
                .flatMap(share -> obstacle(share, transfer.owner()).stream())
                .findFirst();
    }

    private Optional<String> obstacle(final Share share, final UserName owner) {
        if (taken.getOrDefault(share, 0) >= share.limit()) {
            return Optional.of("waits for one of the " + share.limit() + " slots " + share.slots());
        }
        return takenByOwner.getOrDefault(new OwnersShare(share, owner), 0) >= share.limitOfOwner()
                ? Optional.of("waits for another copy of user '" + owner + "': the last of the " + share.limit()
                        + " slots " + share.slots() + " is for other users")
                : Optional.empty();
    }
}
