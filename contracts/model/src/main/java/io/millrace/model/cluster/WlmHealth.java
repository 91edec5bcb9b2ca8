package io.millrace.model.cluster;

import java.time.Instant;

/** Whether the workload manager answers its agent. */
public sealed interface WlmHealth {

    record Answering() implements WlmHealth {}

    /** The picture is the last one known, of {@code lastGood}; {@code because} names the command and what it said. */
    record Stale(Instant lastAnsweredAt, String reason) implements WlmHealth {}
}
