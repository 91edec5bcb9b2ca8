package io.millrace.migration.domain;

import io.millrace.model.TransferId;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Answers the requests for transfers on the log. */
public final class ScriptedTransfers {

    private final World world;
    private final Map<TransferId, Transfer> known = new LinkedHashMap<>();
    private int read;
    public boolean paused;
    public Function<TransferId, TransferState> ending = id -> new TransferState.Verified("1 file, 1 B, sha256 00");

    public ScriptedTransfers(final World world) {
        this.world = world;
    }

    public void work() {
        for (; read < world.log.size(); read++) {
            switch (world.log.get(read).event()) {
                case Request.TransferRequested asked -> take(asked);
                case Request.TransferCancelRequested unwanted -> {
                    final Transfer transfer = known.get(unwanted.id());
                    if (transfer != null && !transfer.state().isFinal()) {
                        move(transfer, new TransferState.Cancelled(unwanted.reason()));
                    }
                }
                case null, default -> {}
            }
        }
        if (paused) {
            return;
        }
        known.values().stream()
                .filter(transfer -> !transfer.state().isFinal())
                .filter(transfer -> !transfer.state().equals(ending.apply(transfer.id())))
                .toList()
                .forEach(transfer -> move(transfer, ending.apply(transfer.id())));
    }

    private void take(final Request.TransferRequested asked) {
        if (!known.containsKey(asked.id())) {
            move(
                    new Transfer(
                            asked.id(),
                            asked.attempt(),
                            asked.owner(),
                            asked.from(),
                            asked.to(),
                            new TransferState.Planned(0, "asked"),
                            world.now,
                            asked.signature()),
                    new TransferState.Copying(0));
        }
    }

    private void move(final Transfer transfer, final TransferState state) {
        final Transfer moved = new Transfer(
                transfer.id(),
                transfer.attempt(),
                transfer.owner(),
                transfer.from(),
                transfer.to(),
                state,
                world.now,
                transfer.signature());
        known.put(moved.id(), moved);
        world.say(moved);
    }
}
