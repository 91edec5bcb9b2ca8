package io.millrace.migration.domain;

import io.millrace.model.command.Outcome;

/** How an action stands that this service may have ordered. */
sealed interface Standing {

    /** Never ordered, or every order expired unanswered. */
    record NotOrdered() implements Standing {}

    /** Ordered and not answered: counts as carried out, so nothing is ordered twice. */
    record UnderWay() implements Standing {}

    /** The newest answer, and how many answers there were within the last hour. */
    record Answered(Outcome outcome, int tries) implements Standing {}
}
