package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.wlm.Answer;
import java.util.List;

/** {@code id -un}: the user as which Slurm authenticates the agent. */
public record AgentUserQuery() implements CommandLine<String> {

    @Override
    public List<String> argv() {
        return List.of("id", "-un");
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(result.outputText().strip())
                : SlurmErrors.of("'id -un'", result, Answer.Kind.UNREADABLE);
    }
}
