package io.millrace.migration.domain;

import io.millrace.model.command.Outcome;
import java.time.Instant;
import java.util.Optional;

/** How an action stands that this service may have ordered. */
sealed interface Standing {

    /** Never ordered, or every order expired unanswered. */
    record NotOrdered() implements Standing {}

    /**
     * Ordered and not answered: counts as carried out, so nothing is ordered twice.
     *
     * @param until when the order lapses if it is not begun by then; empty once it was begun
     */
    record UnderWay(Optional<Instant> until) implements Standing {}

    /**
     * @param outcome the newest answer
     * @param tries answers within the last hour
     * @param fadesAt when the oldest of them is forgotten
     */
    record Answered(Outcome outcome, int tries, Instant fadesAt) implements Standing {}
}
