package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import java.util.List;
import java.util.Map;

/** {@code sinfo --version}: {@code slurm 22.05.8}, {@code slurm-wlm 22.05.8}. */
public record VersionQuery(SlurmSite site) implements CommandLine<String> {

    @Override
    public List<String> argv() {
        return List.of("sinfo", "--version");
    }

    @Override
    public Map<String, String> environment() {
        return site.changeEnvironment();
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        final String output = result.outputText().strip();
        return result.succeeded() && output.startsWith("slurm")
                ? Answer.ok("slurm " + output.substring(output.indexOf(' ') + 1))
                : SlurmErrors.of("sinfo --version", result, Answer.Kind.UNREADABLE);
    }
}
