package io.millrace.transfer.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState.Copying;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slots for concurrent copies, limited per pair of clusters, per receiving cluster and in total, and the bandwidth of the copies, limited
 * per pair and in total. One owner never gets the last slot of several: a copy of hours does not delay the short ones of other users.
 */
public final class TransferSlots {

    /**
     * What copies share: all that have the same text.
     *
     * @param bandwidth_kib_s of these copies together; 0: no limit
     */
    private record Share(String slots, int limit, long bandwidth_kib_s) {

        /** Two clusters, in either direction: they share the link between them. */
        static Share ofPair(final Transfer transfer, final TransferPolicy policy) {
            final ClusterId from = transfer.from().cluster();
            final ClusterId to = transfer.to().cluster();
            final boolean sorted = from.compareTo(to) <= 0;
            return new Share(
                    "between " + (sorted ? from : to) + " and " + (sorted ? to : from),
                    policy.perPair(),
                    policy.linkBandwidth_mib_s() * KIB_PER_MIB);
        }

        static Stream<Share> all(final Transfer transfer, final TransferPolicy policy) {
            return Stream.of(
                    ofPair(transfer, policy),
                    new Share("to " + transfer.to().cluster(), policy.perReceiver(), 0),
                    new Share("of all clusters", policy.total(), policy.totalBandwidth_mib_s() * KIB_PER_MIB));
        }

        /** Of a copy that started before there was a limit. */
        long equalPart_kib_s() {
            return bandwidth_kib_s / limit;
        }

        int limitOfOwner() {
            return Math.max(1, limit - 1);
        }
    }

    private record OwnersShare(Share share, UserName owner) {}

    private static final long KIB_PER_MIB = 1024;

    private final TransferPolicy policy;
    private final Map<Share, Long> taken_kib_s = new HashMap<>();
    private final Map<Share, Integer> starting = new HashMap<>();
    private final Set<TransferId> expected = new HashSet<>();
    private final Map<Share, Integer> taken = new HashMap<>();
    private final Map<OwnersShare, Integer> takenByOwner = new HashMap<>();
    private final Map<UserName, Integer> perOwner = new HashMap<>();

    public TransferSlots(final TransferPolicy policy) {
        this.policy = policy;
    }

    /** Counts a transfer that starts now if it gets a slot. */
    public void expect(final Transfer transfer) {
        if (expected.add(transfer.id())) {
            Share.all(transfer, policy).forEach(share -> starting.merge(share, 1, Integer::sum));
        }
    }

    /** @param transfer in state {@link Copying} */
    public void take(final Transfer transfer) {
        final Integer bandwidth_kib_s = ((Copying) transfer.state()).bandwidthKibPerSecond();
        final int first = expected.remove(transfer.id()) ? 1 : 0;
        Share.all(transfer, policy).forEach(share -> {
            starting.merge(share, -first, Integer::sum);
            taken_kib_s.merge(
                    share, bandwidth_kib_s == null ? share.equalPart_kib_s() : bandwidth_kib_s.longValue(), Long::sum);
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

    /** The bandwidth limit in KiB/s of a copy that starts now and has no obstacle; null: none. */
    public @Nullable Integer bandwidth_kib_s(final Transfer transfer) {
        final OptionalLong least = Share.all(transfer, policy)
                .filter(share -> share.bandwidth_kib_s() > 0)
                .mapToLong(this::part_kib_s)
                .min();
        return least.isEmpty() ? null : (int) Math.min(Integer.MAX_VALUE, least.getAsLong());
    }

    private long part_kib_s(final Share share) {
        return BandwidthShare.of(
                share.bandwidth_kib_s(),
                share.limit(),
                taken.getOrDefault(share, 0),
                taken_kib_s.getOrDefault(share, 0L),
                starting.getOrDefault(share, 0));
    }

    private Optional<String> obstacle(final Share share, final UserName owner) {
        if (taken.getOrDefault(share, 0) >= share.limit()) {
            return Optional.of("waits for one of the " + share.limit() + " slots " + share.slots());
        }
        if (share.bandwidth_kib_s() > 0 && part_kib_s(share) < 1) {
            return Optional.of("waits for bandwidth: the running copies " + share.slots() + " have all of it");
        }
        return takenByOwner.getOrDefault(new OwnersShare(share, owner), 0) >= share.limitOfOwner()
                ? Optional.of("waits for another copy of user '" + owner + "': the last of the " + share.limit()
                        + " slots " + share.slots() + " is for other users")
                : Optional.empty();
    }
}
