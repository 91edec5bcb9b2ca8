package io.millrace.migration.domain.attempt;

import io.millrace.model.GlobalJobId;
import io.millrace.model.TransferId;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The state of the transfers of active jobs. */
public final class TransferStates {

    private final Map<TransferId, Transfer> known = new HashMap<>();
    private final Map<GlobalJobId, Set<TransferId>> byJob = new HashMap<>();
    /** The jobs with news since the last {@link #forgetUnless}. */
    private final Set<GlobalJobId> touched = new HashSet<>();

    /** The transfers whose last copy found no room, with their jobs. */
    private final Map<TransferId, GlobalJobId> withoutRoom = new TreeMap<>();

    private final TransferTimes times = new TransferTimes();

    public void read(final Transfer transfer) {
        final GlobalJobId job = transfer.attempt().job();
        if (NoRoom.code(transfer.state()).isPresent()) {
            withoutRoom.put(transfer.id(), job);
        } else {
            withoutRoom.remove(transfer.id());
        }
        known.put(transfer.id(), transfer);
        byJob.computeIfAbsent(job, j -> new HashSet<>()).add(transfer.id());
        times.read(transfer);
        touched.add(job);
    }

    @Nullable
    public TransferState state(final TransferId id) {
        final Transfer transfer = known.get(id);
        return transfer == null ? null : transfer.state();
    }

    /** The jobs with a transfer whose last copy found no room. */
    public List<GlobalJobId> withoutRoom() {
        return List.copyOf(withoutRoom.values());
    }

    public TransferTimes times() {
        return times;
    }

    /** The job has ended. */
    public void ended(final GlobalJobId job) {
        touched.add(job);
    }

    /** Forgets the transfers of jobs that are not active. Costs what was read or ended since the last call. */
    public void forgetUnless(final Predicate<GlobalJobId> isLive) {
        for (final GlobalJobId job : touched) {
            if (!isLive.test(job)) {
                final Set<TransferId> over = byJob.remove(job);
                if (over != null) {
                    known.keySet().removeAll(over);
                    withoutRoom.keySet().removeAll(over);
                }
            }
        }
        touched.clear();
    }
}
