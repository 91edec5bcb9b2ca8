package io.millrace.migration.domain;

import io.millrace.model.Veto;
import io.millrace.model.command.Action;
import io.millrace.model.command.Precondition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a placed job needs next. */
public sealed interface NextStep {

    /** Something is known that moves it. */
    record Learn(JobFact fact) implements NextStep {}

    /**
     * A command to the cluster of its attempt.
     *
     * @param anchor an instant that never changes and lies before the first order about this subject; see {@link CommandTracker}
     */
    record Issue(Action action, Instant anchor, List<Precondition> preconditions, String reason) implements NextStep {}

    /**
     * Nothing to do before something is heard.
     *
     * @param until when to look again even if nothing is heard
     * @param obstacle what stands in the way; empty if all goes as it should
     */
    record Wait(Optional<Instant> until, Optional<Veto> obstacle) implements NextStep {}

    static NextStep learn(final JobFact fact) {
        return new Learn(fact);
    }

    static NextStep nothing() {
        return new Wait(Optional.empty(), Optional.empty());
    }

    static NextStep waitUntil(final Instant until) {
        return new Wait(Optional.of(until), Optional.empty());
    }

    static NextStep blocked(final Veto obstacle) {
        return new Wait(Optional.empty(), Optional.of(obstacle));
    }

    static NextStep blockedUntil(final Instant until, final Veto obstacle) {
        return new Wait(Optional.of(until), Optional.of(obstacle));
    }
}
