package io.millrace.backfill.domain.view;

import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of an array that may start in one pass: those that wait, that the entitlement covers, and that have a free slot. The cover names
 * tasks, so an entitlement that was decided before other tasks started never allows more than it did.
 *
 * @param tasks null if none may start now
 * @param veto why none may start now
 */
record StartableTasks(@Nullable ArrayTasks tasks, Optional<Veto> veto) {

    /**
     * @param covered the indices that the entitlement covers
     * @param justStarted the indices of a start that may not be observed yet; null: none
     */
    static StartableTasks of(final ArrayTasks waiting, final String covered, final @Nullable String justStarted) {
        final BitSet allowed = ArrayIndices.set(covered);
        if (justStarted != null) {
            allowed.andNot(ArrayIndices.set(justStarted));
        }
        final long slots = waiting.freeSlots() == null ? Long.MAX_VALUE : waiting.freeSlots();
        final List<Integer> startable = ArrayIndices.read(waiting.indices())
                .filter(allowed::get)
                .limit(slots)
                .boxed()
                .toList();
        return startable.isEmpty()
                ? new StartableTasks(null, Optional.of(veto(waiting, justStarted)))
                : new StartableTasks(waiting.only(ArrayIndices.write(startable)), Optional.empty());
    }

    private static Veto veto(final ArrayTasks waiting, final @Nullable String justStarted) {
        return justStarted == null
                ? VetoCode.NO_ENTITLEMENT.veto(
                        "quota-service has not decided the entitlement of tasks " + waiting.indices() + " yet")
                : VetoCode.START_BACKOFF.veto(
                        "tasks " + justStarted + " were started and are not observed running yet");
    }
}
