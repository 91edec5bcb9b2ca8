package io.millrace.log;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Folds the log and decides. One instance serves one partition, is called by one thread, and is thrown away and built anew from the
 * log after any trouble; it does no I/O and has no clock of its own.
 */
public interface Decider {

    /**
     * Takes one record, in log order per partition. May see a record again after a restart, and sees what it said itself if it reads
     * that topic. A record that makes this throw goes to the dead letters with the reason, and the next one follows.
     */
    void apply(LogRecord record);

    /**
     * Decides on everything applied so far. Called only when the replay is over and something was applied, or {@link #wakeAt} has
     * passed. Everything returned is committed in one transaction with the offsets; so fold it here and now: it counts at once.
     * Submissions, requests and job ends are read once per commit: what has to survive a restart must be said in this decision.
     *
     * @return what is new; empty if everything said before still holds (an unchanged value is not said again)
     */
    List<OutgoingEvent> decide(Instant now);

    /** When to decide again although nothing was read; empty if time alone changes nothing. */
    default Optional<Instant> wakeAt() {
        return Optional.empty();
    }
}
