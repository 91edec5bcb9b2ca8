package io.millrace.agent.slurm.command;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code scontrol update} of name and number of cores of a pending job, together.
 *
 * @param target as written by {@code query.TargetId}
 * @param name null: unchanged
 * @param cores as many tasks of one core each; null: unchanged
 */
public record PropertyUpdate(
        SlurmSite site,
        String target,
        @Nullable String name,
        @Nullable Integer cores) implements ChangeCommand {

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of("scontrol", "update", "JobId=" + target));
        if (cores != null) {
            argv.add("NumTasks=" + cores);
            argv.add("NumCPUs=" + cores);
        }
        if (name != null) {
            argv.add("JobName=" + name);
        }
        return argv;
    }

    @Override
    public String summary() {
        return "set" + (cores == null ? "" : " " + cores + " cores") + (name == null ? "" : " name '" + name + "'")
                + " for " + target;
    }
}
