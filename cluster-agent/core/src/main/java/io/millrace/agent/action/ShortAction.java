package io.millrace.agent.action;

import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.util.Optional;

/** An action that is executed at once. */
public non-sealed interface ShortAction extends AgentAction {

    /** Executes it; empty if it is unknown whether it took effect. The capabilities were checked before. */
    Optional<Result> execute(Command command, ActionContext with);

    /** Whether no other start may be executed at the same time. */
    default boolean isExecutedAlone(final WorkloadManager wlm) {
        return false;
    }
}
