package io.millrace.agent.slurm.qos;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code sacctmgr show qos}: Millrace's QoS, whose names begin with the prefix. */
record QosQuery(SlurmSite site, String prefix) implements QueryCommand<List<Qos>> {

    private static final Pattern CORES = Pattern.compile("(?:^|,)cpu=(\\d+)");

    @Override
    public List<String> argv() {
        return List.of(
                "sacctmgr",
                "--noheader",
                "--parsable2",
                "show",
                "qos",
                "format=Name,GrpTRES,Preempt,PreemptMode,Priority");
    }

    @Override
    public Answer<List<Qos>> read(final CommandResult result) {
        if (!result.succeeded() || !result.errorText().isEmpty()) {
            return SlurmErrors.of("sacctmgr", result, Answer.Kind.UNREADABLE);
        }
        try {
            // Names outside the prefix are skipped because they may contain the separator.
            return Answer.ok(result.outputText()
                    .lines()
                    .filter(line -> line.startsWith(prefix))
                    .map(QosQuery::qos)
                    .toList());
        } catch (final IllegalArgumentException e) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE, "cannot read a QoS in the output of sacctmgr: " + e.getMessage());
        }
    }

    private static Qos qos(final String line) {
        final String[] cell = line.split("\\|", -1);
        if (cell.length != 5) {
            throw new IllegalArgumentException("expected 5 cells in '" + line + "'");
        }
        final Matcher cores = CORES.matcher(cell[1]);
        return new Qos(
                cell[0],
                cores.find() ? Integer.valueOf(cores.group(1)) : null,
                cell[2].isEmpty() ? Set.of() : Set.of(cell[2].split(",")),
                cell[3],
                cell[4].isEmpty() ? 0 : Long.parseLong(cell[4]));
    }
}
