package io.millrace.migration.domain;

import io.millrace.model.command.Outcome;
import java.time.Instant;
import java.util.Optional;

/** How an action stands that this service may have ordered. */
sealed interface CommandStatus {

    /** Never ordered, or every order expired unanswered. */
    record NotIssued() implements CommandStatus {}

    /**
     * Ordered and not answered: counts as carried out, so nothing is ordered twice.
     *
     * @param until when the order lapses if it is not begun by then; empty once it was begun
     */
    record Pending(Optional<Instant> until) implements CommandStatus {}

    /**
     * @param outcome the newest answer
     * @param tries answers within the last hour
     * @param forgottenAt when the oldest of them is forgotten
     */
    record Answered(Outcome outcome, int tries, Instant forgottenAt) implements CommandStatus {}
}
