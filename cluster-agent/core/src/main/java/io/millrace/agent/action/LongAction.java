package io.millrace.agent.action;

import io.millrace.model.command.Command;
import io.millrace.model.command.Result;

/** An action that takes long, and is executed in the background. */
public non-sealed interface LongAction extends AgentAction {

    /** Executes it on the caller's thread. It is interrupted when the agent stops, and its result is then discarded. */
    Result run(Command command, ActionContext with) throws InterruptedException;
}
