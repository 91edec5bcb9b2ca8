package io.millrace.transfer.kafka;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.Decider;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.Transfer;
import io.millrace.transfer.ManageTransfers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Connects {@link ManageTransfers} to the log. */
final class TransferDecider implements Decider {

    private final ManageTransfers transfers;
    private final Consumer<Map<String, Long>> live;

    /** @param live receives the number of transfers by state after each decision */
    TransferDecider(final ManageTransfers transfers, final Consumer<Map<String, Long>> live) {
        this.transfers = transfers;
        this.live = live;
    }

    @Override
    public void apply(final LogRecord read) {
        switch (read.event()) {
            case Request request -> transfers.requested(request);
            case Transfer transfer -> transfers.recorded(transfer);
            case Command command -> transfers.issued(command);
            case Outcome outcome -> transfers.answered(outcome);
            case RevisionClosed marker -> transfers.observed(marker);
            case null, default -> {}
        }
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        final List<OutgoingEvent> changes =
                transfers.decide(now).stream().map(OutgoingEvent::put).toList();
        live.accept(transfers.liveByState());
        return changes;
    }

    @Override
    public Optional<Instant> wakeAt() {
        return transfers.wakeAt();
    }
}
