package io.millrace.model.cluster;

import java.time.Instant;

/** Whether the workload manager answers its agent. */
public sealed interface WlmHealth {

    record Answering() implements WlmHealth {}

    /** The snapshot is the last one known, of {@code lastAnsweredAt}; {@code reason} names the failed command and its error. */
    record Stale(Instant lastAnsweredAt, String reason) implements WlmHealth {}
}
