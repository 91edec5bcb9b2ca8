package io.millrace.migration.domain.cluster;

import io.millrace.model.command.Outcome;
import java.time.Instant;
import java.util.Optional;

/** The status of an action for which this service may have issued a command. */
public sealed interface CommandStatus {

    /** Never issued, or every command expired unanswered. */
    record NotIssued() implements CommandStatus {}

    /**
     * Issued and not answered: counts as executed, so no command is issued twice.
     *
     * @param until when the command expires if the agent has not begun it by then; empty afterwards
     */
    record Pending(Optional<Instant> until) implements CommandStatus {}

    /**
     * @param outcome the newest answer
     * @param tries answers within the last hour
     * @param forgottenAt when the oldest of them is forgotten
     */
    record Answered(Outcome outcome, int tries, Instant forgottenAt) implements CommandStatus {}
}
