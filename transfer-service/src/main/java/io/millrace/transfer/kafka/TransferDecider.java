package io.millrace.transfer.kafka;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.Decider;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.Transfer;
import io.millrace.transfer.ManageTransfers;
import io.millrace.transfer.RemoveStagedCopies;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Connects {@link ManageTransfers} and {@link RemoveStagedCopies} to the log. */
final class TransferDecider implements Decider {

    private final ManageTransfers transfers;
    private final RemoveStagedCopies removals;
    private final Consumer<Map<String, Long>> live;

    /** @param live receives the number of transfers by state after each decision */
    TransferDecider(
            final ManageTransfers transfers,
            final RemoveStagedCopies removals,
            final Consumer<Map<String, Long>> live) {
        this.transfers = transfers;
        this.removals = removals;
        this.live = live;
    }

    @Override
    public void apply(final LogRecord read) {
        switch (read.event()) {
            case Request request -> transfers.requested(request);
            case Transfer transfer -> transfers.recorded(transfer);
            case GlobalJob job -> removals.changed(job);
            case StagedCopy copy -> removals.recorded(copy);
            case Command command -> {
                transfers.issued(command);
                removals.issued(command);
            }
            case Outcome outcome -> {
                transfers.answered(outcome);
                removals.answered(outcome);
            }
            case RevisionClosed marker -> {
                transfers.observed(marker);
                removals.observed(marker);
            }
            case null, default -> {}
        }
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        final List<OutgoingEvent> changes = Stream.concat(transfers.decide(now).stream(), removals.decide(now).stream())
                .map(OutgoingEvent::put)
                .toList();
        live.accept(transfers.liveByState());
        return changes;
    }

    @Override
    public Optional<Instant> wakeAt() {
        return Stream.of(transfers.wakeAt(), removals.wakeAt())
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }
}
