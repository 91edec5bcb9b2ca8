package io.millrace.agent.slurm.command;

import io.millrace.agent.exec.CommandResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code scancel}: cancels a job, or signals its batch script and all of its steps.
 *
 * @param signal name without SIG; null cancels the job
 */
public record Scancel(SlurmSite site, String id, @Nullable String signal) implements ChangeCommand {

    @Override
    public List<String> argv() {
        // Only --verbose reports jobs that could not be cancelled.
        final List<String> argv = new ArrayList<>(List.of("scancel", "--verbose"));
        if (signal != null) {
            argv.addAll(List.of("--full", "--signal=" + signal));
        }
        argv.add(id);
        return argv;
    }

    @Override
    public boolean refused(final CommandResult result) {
        return !result.succeeded() || result.errorText().contains("error:");
    }

    @Override
    public String summary() {
        return signal == null ? "cancelled " + id : "sent " + signal + " to " + id;
    }
}
