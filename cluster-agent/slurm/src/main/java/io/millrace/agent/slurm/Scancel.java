package io.millrace.agent.slurm;

import io.millrace.agent.exec.CommandResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code scancel}: ends a job, or signals the script and everything it started.
 *
 * @param signal name without SIG; null ends the job
 */
record Scancel(SlurmSite site, String id, @Nullable String signal) implements ChangeCommand {

    @Override
    public List<String> argv() {
        // Without --verbose it keeps silent about jobs that it could not cancel.
        final List<String> argv = new ArrayList<>(List.of("scancel", "--verbose"));
        if (signal != null) {
            argv.addAll(List.of("--full", "--signal=" + signal));
        }
        argv.add(id);
        return argv;
    }

    @Override
    public boolean refused(final CommandResult result) {
        return !result.succeeded() || result.complaint().contains("error:");
    }

    @Override
    public String summary() {
        return signal == null ? "cancelled " + id : "sent " + signal + " to " + id;
    }
}
