package io.millrace.migration.domain.attempt;

import io.millrace.model.ClusterId;
import io.millrace.model.TransferId;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** How long transfers between two clusters took recently: a mean in which each new one counts for a quarter. */
public final class TransferTimes {

    private static final int WEIGHT = 4;

    private record Link(ClusterId from, ClusterId to) {}

    private final Map<TransferId, Instant> begun = new HashMap<>();
    private final Map<Link, Duration> means = new HashMap<>();

    void read(final Transfer transfer) {
        if (transfer.state() instanceof TransferState.Copying) {
            begun.putIfAbsent(transfer.id(), transfer.since());
        }
        if (transfer.state().isFinal()) {
            final Instant from = begun.remove(transfer.id());
            if (from != null && transfer.state() instanceof TransferState.Verified) {
                means.merge(
                        new Link(transfer.from().cluster(), transfer.to().cluster()),
                        Duration.between(from, transfer.since()),
                        (mean, newest) -> mean.plus(newest.minus(mean).dividedBy(WEIGHT)));
            }
        }
    }

    /** Zero within a cluster, and for a link on which no transfer was observed. */
    public Duration expected(final ClusterId from, final ClusterId to) {
        return means.getOrDefault(new Link(from, to), Duration.ZERO);
    }
}
