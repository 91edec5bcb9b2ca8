package io.millrace.migration.domain.attempt;

import io.millrace.migration.domain.cluster.CommandRequest;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.model.Veto;
import java.time.Instant;
import java.util.Optional;

/** The next step of a placed job. */
public sealed interface NextStep {

    /** Apply a fact. */
    record Learn(JobFact fact) implements NextStep {}

    /** Issue a command to the cluster of its attempt. */
    record Issue(CommandRequest command) implements NextStep {}

    /**
     * Wait for the next event.
     *
     * @param until when to check again even without an event
     * @param obstacle what blocks the job; empty if nothing does
     */
    record Wait(Optional<Instant> until, Optional<Veto> obstacle) implements NextStep {}

    static NextStep learn(final JobFact fact) {
        return new Learn(fact);
    }

    static NextStep nothing() {
        return new Wait(Optional.empty(), Optional.empty());
    }

    static NextStep waitUntil(final Instant until) {
        return new Wait(Optional.of(until), Optional.empty());
    }

    static NextStep blocked(final Veto obstacle) {
        return new Wait(Optional.empty(), Optional.of(obstacle));
    }

    static NextStep blockedUntil(final Instant until, final Veto obstacle) {
        return new Wait(Optional.of(until), Optional.of(obstacle));
    }
}
