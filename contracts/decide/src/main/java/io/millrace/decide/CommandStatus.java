package io.millrace.decide;

import io.millrace.model.command.Outcome;
import java.time.Instant;
import java.util.Optional;

/** What is known of a command for which an issuer may have decided. */
public sealed interface CommandStatus {

    /** Issued and not answered: counts as executed, so no command is issued twice. */
    sealed interface Pending extends CommandStatus {

        /** From when on it counts no longer without another record; empty: for as long as it runs. */
        Optional<Instant> until();
    }

    /** The agent has not begun it. */
    record Open(Instant validUntil) implements Pending {

        @Override
        public Optional<Instant> until() {
            return Optional.of(validUntil.plusMillis(1));
        }
    }

    /** The agent executes it; there is no time limit. */
    record Begun(Instant at) implements Pending {

        @Override
        public Optional<Instant> until() {
            return Optional.empty();
        }
    }

    /**
     * @param outcome the newest answer
     * @param tries answers on its action and subject within {@link CommandView#RETENTION}
     * @param forgottenAt when the oldest of them is forgotten
     */
    record Answered(Outcome outcome, int tries, Instant forgottenAt) implements CommandStatus {}

    /** Neither command nor answer is known: never issued, expired unanswered, or older than {@link CommandView#RETENTION}. */
    record Unknown() implements CommandStatus {}
}
