package io.millrace.agent.slurm.qos;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.util.List;
import java.util.Set;

/** {@code sacctmgr show associations} of one user on one cluster. */
public record AssociationQuery(SlurmSite site, String clusterName, UserName user)
        implements QueryCommand<List<Association>> {

    @Override
    public List<String> argv() {
        return List.of(
                "sacctmgr",
                "--noheader",
                "--parsable2",
                "show",
                "associations",
                "where",
                "cluster=" + clusterName,
                "user=" + user,
                // The account comes last because its name may contain the separator.
                "format=QOS,DefaultQOS,Account");
    }

    @Override
    public Answer<List<Association>> read(final CommandResult result) {
        if (!result.succeeded() || !result.errorText().isEmpty()) {
            return SlurmErrors.of("sacctmgr", result, Answer.Kind.UNREADABLE);
        }
        try {
            return Answer.ok(result.outputText()
                    .lines()
                    .map(AssociationQuery::association)
                    .toList());
        } catch (final IllegalArgumentException e) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE, "cannot read an association in the output of sacctmgr: " + e.getMessage());
        }
    }

    private static Association association(final String line) {
        final String[] cell = line.split("\\|", 3);
        if (cell.length != 3) {
            throw new IllegalArgumentException("expected 3 cells in '" + line + "'");
        }
        return new Association(cell[2], cell[0].isEmpty() ? Set.of() : Set.of(cell[0].split(",")), cell[1]);
    }
}
