package io.millrace.agent.command;

import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.command.Action;
import java.time.Instant;
import java.util.Optional;

/** Checks whether a user has authorized what the agent is to do with that user's rights. */
public interface ActionAuthorization {

    /** Why the action is not permitted; empty if it is. Only submit, make, dry-run, copy-tree and remove-copy act with the rights of a user. */
    Optional<String> refusal(Action action, Instant now);

    /** Why no job of this user is started or continued; empty if it may be. */
    default Optional<Veto> refusalToStart(final UserName owner) {
        return Optional.empty();
    }
}
