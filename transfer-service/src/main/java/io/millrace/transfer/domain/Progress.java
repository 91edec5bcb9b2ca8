package io.millrace.transfer.domain;

import io.millrace.model.command.Outcome;
import java.time.Instant;

/** How a command stands, as far as the log tells. */
sealed interface Progress {

    /** Ordered, valid, and not heard of. */
    record Open() implements Progress {}

    /** The agent has begun; it may take as long as it takes. */
    record Begun(Instant at) implements Progress {}

    record Answered(Outcome outcome) implements Progress {}

    /** Neither order nor answer is known: it expired unheard, or it lies farther back than answers are remembered. */
    record Nothing() implements Progress {}
}
