package io.millrace.migration.domain;

import io.millrace.model.GlobalJobId;
import io.millrace.model.TransferId;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The state of the transfers of active jobs. */
public final class TransferStates {

    private final Map<TransferId, Transfer> known = new HashMap<>();
    private boolean grown;

    public void read(final Transfer transfer) {
        known.put(transfer.id(), transfer);
        grown = true;
    }

    @Nullable
    public TransferState state(final TransferId id) {
        final Transfer transfer = known.get(id);
        return transfer == null ? null : transfer.state();
    }

    public void forgetUnless(final Predicate<GlobalJobId> isLive) {
        if (grown) {
            known.values().removeIf(transfer -> !isLive.test(transfer.attempt().job()));
            grown = false;
        }
    }
}
