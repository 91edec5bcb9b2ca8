package io.millrace.agent.command;

import io.millrace.model.command.Action;
import java.time.Instant;
import java.util.Optional;

/** Whether a user really asked for what is to be done with that user's rights. */
public interface ActionAuthorization {

    /** Why it is not permitted; empty if it is. Nothing but submit, make and copy-tree acts with a user's rights. */
    Optional<String> refusal(Action action, Instant now);
}
