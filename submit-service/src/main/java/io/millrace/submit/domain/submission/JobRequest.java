package io.millrace.submit.domain.submission;

import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A job request as it was received, before validation. Its annotations describe it to users of the REST API. */
@Schema(name = "Submission", description = "A job to submit, with either 'script' or 'command'")
public record JobRequest(
        @Schema(
                description =
                        "Name of the job; default: the name in the script's directives, else the script's file name,"
                                + " else the program of 'command', else 'job'",
                maxLength = 255)
        @Nullable
        String name,

        @Schema(
                description =
                        "Job script that starts with an interpreter line (#!) or directives; at most 256 KiB of UTF-8."
                                + " Its #SBATCH, #PBS or #BSUB lines apply unless a field of the request overrides them."
                                + " The characters U+10F780 to U+10F7FF are the bytes 0x80 to 0xFF of a script that is not"
                                + " UTF-8")
        @Nullable
        String script,

        @Schema(description = "Arguments of a command line, which runs without shell expansion") @Nullable
        List<@Nullable String> command,

        @Schema(
                description =
                        "Script of a build step that runs in the job's directory on the target cluster before the job")
        @Nullable
        String make,

        @Schema(description = "Total processor cores; default: the value in the script, or 1", minimum = "1") @Nullable
        Integer cores,

        @Schema(description = "Number of nodes; 0: any", minimum = "0") @Nullable
        Integer nodes,

        @Schema(description = "Total in MiB", minimum = "0") @Nullable
        Long memoryMib,

        @Schema(description = "Total", minimum = "0") @Nullable
        Integer gpus,

        @Schema(
                description =
                        "Time limit: minutes, [D-]HH:MM:SS and the other forms of sbatch --time, or ISO 8601. Required"
                                + " unless the script sets it",
                examples = {"90", "01:30:00", "PT1H30M"})
        @Nullable
        String walltime,

        @Schema(description = "The site's name for partitions, or a partition of the target cluster") @Nullable
        String partition,

        @Schema(description = "Project or account that is charged") @Nullable
        String project,

        @Schema(description = "Additional environment variables; at most 64 KiB") @Nullable
        Map<String, @Nullable String> environment,

        @Schema(description = "How the job is checkpointed when it is preempted; absent: its work is lost") @Nullable
        Checkpoint checkpoint,

        @Schema(required = true, description = "Cluster that holds 'directory' and receives the results") @Nullable
        String source,

        @Schema(required = true, description = "Absolute path of the job's directory") @Nullable
        String directory,

        @Schema(description = "Required cluster; absent: Millrace chooses") @Nullable
        String target,

        @Schema(
                description = "Whether clusters without an equivalent of a script option refuse the job;"
                        + " default: such clusters ignore the option")
        @Nullable
        Boolean strict,

        @Schema(description = "Names of required software; each cluster loads its modules for them") @Nullable
        List<@Nullable String> software,

        @Schema(
                description =
                        "File in 'directory' to which standard output is appended; default: millrace-ID.out. %j is the"
                                + " id of the job, %x its name, %u its owner, %N the cluster",
                examples = "logs/%x-%j.out")
        @Nullable
        String output,

        @Schema(description = "File in 'directory' for standard error, as 'output'; default: with the output") @Nullable
        String error,

        @Schema(description = "File in 'directory' for standard input; default: empty") @Nullable
        String input,

        @Schema(description = "File name of the script", maxLength = 255) @Nullable
        String scriptName,

        @Schema(
                description = "Arguments of 'script', passed without shell expansion; default: those of #PBS -F",
                examples = "[\"mesh.dat\", \"42\"]")
        @Nullable
        List<@Nullable String> arguments,

        @Schema(
                description =
                        "Indices of the tasks of an array, as of sbatch --array; %4: at most 4 at a time. Only in a"
                                + " batch; default: the option of the script",
                examples = "1-10%4")
        @Nullable
        String array,

        @Schema(
                description =
                        "Directories of the jobs of a batch, absolute or in 'directory'; not combined with an array;"
                                + " an empty list counts as none",
                examples = "[\"case1\", \"case2\"]")
        @Nullable
        List<@Nullable String> directories,

        @Schema(
                description = "Global jobs or batches that the job waits for, as of sbatch --dependency: afterok,"
                        + " afternotok, afterany, after, aftercorr and singleton; default: the option of the"
                        + " script",
                examples = "afterok:01JNFQ6M5T8W3KZX9B2C4D7E1F")
        @Nullable
        String dependency,

        @Schema(
                description = "The only clusters that may run the job, best first; not together with 'target'."
                        + " Default: the option of the script, else all",
                examples = "[\"alpha\", \"beta\"]")
        @Nullable
        List<@Nullable String> clusters,

        @Schema(
                description =
                        "Which of the possible clusters gets the job; default: the order of 'clusters', else the rule"
                                + " of the site",
                enumeration = {"performance-order", "earliest-end", "least-core-hours", "data-locality"})
        @Nullable
        String targetRule,

        @Schema(
                description =
                        "Free space in MiB that the files and results of the job need on a cluster that stages them",
                minimum = "0")
        @Nullable
        Long diskMib,

        @Schema(
                description =
                        "Which files are copied if the job runs on another cluster: rules of rsync, '- PATTERN' to"
                                + " exclude or '+ PATTERN' to include; the first that matches decides. Default: all files",
                examples = "[\"+ /restart.tmp\", \"- *.tmp\"]")
        @Nullable
        List<@Nullable String> inputFilter,

        @Schema(
                description = "Which files are copied back as results, as 'inputFilter'",
                examples = "[\"- /scratch/\"]")
        @Nullable
        List<@Nullable String> resultFilter,

        @Schema(
                description =
                        "Options of sbatch, as the words of its command line. They mean what they mean in a #SBATCH"
                                + " line and outrank the directives of the script, whatever its workload manager; other"
                                + " fields outrank them",
                examples = "[\"--gres=gpu:2\", \"-C\", \"ib\", \"--exclusive\"]")
        @Nullable
        List<@Nullable String> options) {

    /** The words of its options. */
    List<String> optionWords() {
        return options == null
                ? List.of()
                : options.stream().map(String::valueOf).toList();
    }

    /** How the job is checkpointed. */
    @Schema(name = "Checkpoint")
    public record Checkpoint(
            @Schema(
                    enumeration = {"application", "native"},
                    description = "Who checkpoints: the application (default) or the workload manager")
            @Nullable
            String method,

            @Schema(description = "For application: signal name without SIG", examples = "USR1") @Nullable
            String signal,

            @Schema(
                    description =
                            "For application: file in the job's directory that the application creates after saving"
                                    + " its state")
            @Nullable
            String marker,

            @Schema(required = true, description = "Maximum duration of the checkpoint, in walltime syntax") @Nullable
            String grace,

            @Schema(
                    enumeration = {"leave", "wait", "requeue"},
                    description = "What happens after that: the job continues to run (default), Millrace waits for the"
                            + " checkpoint, or the job is requeued without a checkpoint")
            @Nullable
            String onTimeout) {}
}
