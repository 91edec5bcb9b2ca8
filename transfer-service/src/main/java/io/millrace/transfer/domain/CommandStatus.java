package io.millrace.transfer.domain;

import io.millrace.model.command.Outcome;
import java.time.Instant;

/** How a command stands, as far as the log tells. */
sealed interface CommandStatus {

    /** Ordered, valid, and not heard of. */
    record Open() implements CommandStatus {}

    /** The agent has begun; it may take as long as it takes. */
    record Begun(Instant at) implements CommandStatus {}

    record Answered(Outcome outcome) implements CommandStatus {}

    /** Neither order nor answer is known: it expired unheard, or it lies farther back than answers are remembered. */
    record Unknown() implements CommandStatus {}
}
