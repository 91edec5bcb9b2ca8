package io.millrace.migration.domain;

import io.millrace.model.Veto;
import io.millrace.model.command.Action;
import io.millrace.model.command.Precondition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a placed job needs next. */
sealed interface Next {

    /** Something is known that moves it. */
    record Learn(Fact fact) implements Next {}

    /**
     * A command to the cluster of its attempt.
     *
     * @param anchor an instant that never changes and lies before the first order about this subject; see {@link OrderBook}
     */
    record Order(Action action, Instant anchor, List<Precondition> preconditions, String reason) implements Next {}

    /**
     * Nothing to do before something is heard.
     *
     * @param until when to look again even if nothing is heard
     * @param obstacle what stands in the way; empty if all goes as it should
     */
    record Wait(Optional<Instant> until, Optional<Veto> obstacle) implements Next {}

    static Next learn(final Fact fact) {
        return new Learn(fact);
    }

    static Next hear() {
        return new Wait(Optional.empty(), Optional.empty());
    }

    static Next hearUntil(final Instant until) {
        return new Wait(Optional.of(until), Optional.empty());
    }

    static Next blocked(final Veto obstacle) {
        return new Wait(Optional.empty(), Optional.of(obstacle));
    }

    static Next blockedUntil(final Instant until, final Veto obstacle) {
        return new Wait(Optional.of(until), Optional.of(obstacle));
    }
}
