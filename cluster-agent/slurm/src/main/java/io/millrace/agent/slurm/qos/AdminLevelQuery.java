package io.millrace.agent.slurm.qos;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import java.util.List;

/** {@code sacctmgr show user}: {@code None}, {@code Operator}, {@code Administrator}, or empty if slurmdbd does not know the user. */
public record AdminLevelQuery(SlurmSite site, String user) implements QueryCommand<String> {

    @Override
    public List<String> argv() {
        return List.of(
                "sacctmgr", "--noheader", "--parsable2", "show", "user", "where", "name=" + user, "format=AdminLevel");
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        return result.succeeded() && result.errorText().isEmpty()
                ? Answer.ok(result.outputText().strip())
                : SlurmErrors.of("sacctmgr", result, Answer.Kind.UNREADABLE);
    }
}
