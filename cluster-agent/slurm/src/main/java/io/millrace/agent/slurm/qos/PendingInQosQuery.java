package io.millrace.agent.slurm.qos;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.DelimitedTable;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Answer;
import java.util.List;

/** {@code squeue}: the pending jobs of a QoS, as ids for commands (see {@link TargetId}). */
record PendingInQosQuery(SlurmSite site, String qos, String nonce) implements QueryCommand<List<String>> {

    private static final List<String> FIELDS = List.of("jobarrayid", "qos");

    @Override
    public List<String> argv() {
        return List.of(
                "squeue",
                "--noheader",
                "--all",
                "--states=PENDING",
                "--Format=" + DelimitedTable.format(FIELDS, nonce));
    }

    @Override
    public Answer<List<String>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return SlurmErrors.of("squeue", result, Answer.Kind.UNREADABLE);
        }
        return Answer.ok(DelimitedTable.rows(result.outputText(), FIELDS.size(), nonce).stream()
                .filter(row -> row.get(1).equals(qos))
                .map(row -> row.get(0).replaceFirst("%\\d+]$", "]"))
                .toList());
    }
}
