package io.millrace.submit.domain.submission;

import io.millrace.script.WalltimeText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job request as it was received, before validation.
 *
 * @param script the job script; exclusive with {@code command}
 * @param command arguments of a command line, run without a shell
 * @param make script of the build step
 * @param memoryMib total memory in MiB
 * @param walltime see {@link WalltimeText}
 * @param source cluster that holds {@code directory}
 * @param directory absolute path
 * @param target the cluster to run on; null: Millrace chooses
 * @param strict whether a cluster that has no equivalent for a script option is excluded
 * @param software names of required software; each cluster maps them to its modules
 * @param output file of standard output, in {@code directory}; likewise {@code error} and {@code input}
 * @param scriptName file name of the script; the job's name if no other is given
 * @param arguments of the script
 * @param array indices of the tasks of an array, as of {@code sbatch --array}
 * @param directories one job in each, absolute or in {@code directory}
 * @param dependency jobs that must end before, as of {@code sbatch --dependency}
 * @param clusters the only clusters that may run the job, best first
 * @param targetRule see {@link io.millrace.model.job.TargetRule}
 * @param diskMib free space for its files and results on a cluster that stages them
 * @param inputFilter filter rules of the files that are copied to another cluster; likewise {@code resultFilter}
 * @param options words of options of {@code sbatch}, see {@link io.millrace.script.directive.CommandLineOptions}
 */
public record JobRequest(
        @Nullable String name,
        @Nullable String script,
        @Nullable List<@Nullable String> command,
        @Nullable String make,
        @Nullable Integer cores,
        @Nullable Integer nodes,
        @Nullable Long memoryMib,
        @Nullable Integer gpus,
        @Nullable String walltime,
        @Nullable String partition,
        @Nullable String project,
        @Nullable Map<String, @Nullable String> environment,
        @Nullable Checkpoint checkpoint,
        @Nullable String source,
        @Nullable String directory,
        @Nullable String target,
        @Nullable Boolean strict,
        @Nullable List<@Nullable String> software,
        @Nullable String output,
        @Nullable String error,
        @Nullable String input,
        @Nullable String scriptName,
        @Nullable List<@Nullable String> arguments,
        @Nullable String array,
        @Nullable List<@Nullable String> directories,
        @Nullable String dependency,
        @Nullable List<@Nullable String> clusters,
        @Nullable String targetRule,
        @Nullable Long diskMib,
        @Nullable List<@Nullable String> inputFilter,
        @Nullable List<@Nullable String> resultFilter,
        @Nullable List<@Nullable String> options) {

    /** The words of its options. */
    List<String> optionWords() {
        return options == null
                ? List.of()
                : options.stream().map(String::valueOf).toList();
    }

    /**
     * How the job is checkpointed.
     *
     * @param signal signal name without SIG
     * @param marker file name relative to the job's directory
     * @param grace maximum duration of the checkpoint, in walltime syntax
     */
    public record Checkpoint(
            @Nullable String method,
            @Nullable String signal,
            @Nullable String marker,
            @Nullable String grace,
            @Nullable String onTimeout) {}
}
