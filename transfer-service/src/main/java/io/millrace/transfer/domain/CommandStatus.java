package io.millrace.transfer.domain;

import io.millrace.model.command.Outcome;
import java.time.Instant;

/** The status of a command according to the log. */
sealed interface CommandStatus {

    /** Issued, valid, and not answered. */
    record Open() implements CommandStatus {}

    /** The agent executes it; there is no time limit. */
    record Begun(Instant at) implements CommandStatus {}

    record Answered(Outcome outcome) implements CommandStatus {}

    /** Neither command nor answer is known: the command expired unanswered, or it is older than the retention time. */
    record Unknown() implements CommandStatus {}
}
