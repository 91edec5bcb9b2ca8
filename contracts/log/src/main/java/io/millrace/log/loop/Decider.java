package io.millrace.log.loop;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Folds the log and decides. One instance serves one partition and is called by one thread; after any failure it is discarded and rebuilt from
 * the log. It does no I/O and reads no clock.
 */
public interface Decider {

    /**
     * Applies one record, in log order per partition. After a restart it may receive a record again; it also receives its own records if it
     * reads that topic. A record for which it throws is moved to the dead letters with the reason.
     */
    void apply(LogRecord record);

    /**
     * Decides on everything applied so far. Called only after the replay, when a record was applied or {@link #wakeAt} has passed. The result
     * is committed in one transaction with the offsets, except {@link #isRecomputed} records of a large decision, so the decider must apply it to
     * its own state immediately. Submissions, requests and job ends are read once per commit: what must survive a restart has to be part of this
     * decision.
     *
     * @return the changes to write; empty if nothing has changed
     */
    List<OutgoingEvent> decide(Instant now);

    /**
     * Whether the next decision after a restart contains this record again if it was not written, although other records of its decision and the
     * offsets were. Such records of a large decision may be written in later transactions. False for commands, for everything that follows from a
     * record read once per commit, and for records from which a replay restores state.
     */
    default boolean isRecomputed(final OutgoingEvent decided) {
        return false;
    }

    /** Whether something that it was opened with has changed, so that it must be discarded and rebuilt from the log. */
    default boolean isOutdated() {
        return false;
    }

    /** When to decide again without a new record; empty if time alone changes nothing. */
    default Optional<Instant> wakeAt() {
        return Optional.empty();
    }
}
