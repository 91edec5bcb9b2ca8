package io.millrace.submit.rest.jobs;

import io.millrace.submit.domain.job.JobRequest;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A job to be submitted. */
@Schema(name = "Submission", description = "A job to be submitted: 'script' or else 'command'")
public record SubmitRequest(
        @Schema(
                description = "For people; default: what the script's directives say, the script's file name, the"
                        + " program of 'command', else 'job'",
                maxLength = 255)
        @Nullable
        String name,

        @Schema(
                description =
                        "Job script, beginning with its interpreter (#!) or with directives; at most 256 KiB of UTF-8. What the fields"
                                + " below do not say is taken from its #SBATCH, #PBS or #BSUB lines")
        @Nullable
        String script,

        @Schema(description = "Words of a command line, run as they are: nothing in them is interpreted") @Nullable
        List<@Nullable String> command,

        @Schema(description = "Script of a build step, run in the job's directory on the target before the job")
        @Nullable
        String make,

        @Schema(description = "Processor cores in all; default: what the script says, else 1", minimum = "1") @Nullable
        Integer cores,

        @Schema(description = "Whole nodes to spread over; 0 means any", minimum = "0") @Nullable
        Integer nodes,

        @Schema(description = "In all, in MiB", minimum = "0") @Nullable
        Long memoryMib,

        @Schema(description = "In all", minimum = "0") @Nullable
        Integer gpus,

        @Schema(
                description =
                        "Needed unless the script says it. Limit of the run: minutes, [D-]HH:MM:SS and the other forms of sbatch --time, or ISO 8601",
                examples = {"90", "01:30:00", "PT1H30M"})
        @Nullable
        String walltime,

        @Schema(description = "On the cluster where it runs") @Nullable
        String partition,

        @Schema(description = "Project or account that use is charged to") @Nullable
        String project,

        @Schema(description = "Extra variables for the script; at most 64 KiB") @Nullable
        Map<String, @Nullable String> environment,

        @Schema(description = "How the job is saved when it must give way; absent: it cannot, and its work is lost")
        @Nullable
        CheckpointOptions checkpoint,

        @Schema(required = true, description = "Cluster on which 'directory' lies and where the results are wanted")
        @Nullable
        String source,

        @Schema(required = true, description = "Absolute path of the job's directory") @Nullable
        String directory,

        @Schema(description = "Run there and nowhere else; absent: wherever it fits first") @Nullable
        String target,

        @Schema(
                description = "Whether a cluster without equivalent for one of the script's options refuses the job;"
                        + " default: the option is left out there")
        @Nullable
        Boolean strict,

        @Schema(description = "Names of software; each cluster loads its own modules for them") @Nullable
        List<@Nullable String> software,

        @Schema(description = "The script's file name", maxLength = 255) @Nullable
        String scriptName) {

    /** How the job is saved. */
    @Schema(name = "Checkpoint")
    public record CheckpointOptions(
            @Schema(
                    enumeration = {"application", "native", "criu"},
                    description = "By whom: the application itself (default), the workload manager, or CRIU")
            @Nullable
            String method,

            @Schema(description = "For application: signal's name without SIG", examples = "USR1") @Nullable
            String signal,

            @Schema(
                    description =
                            "For application: file below the job's directory that it makes when its state is saved")
            @Nullable
            String marker,

            @Schema(required = true, description = "How long that may take, written as a walltime") @Nullable
            String grace,

            @Schema(
                    enumeration = {"leave", "wait", "requeue"},
                    description =
                            "What becomes of it if it takes longer: it runs on (default), it is waited for, or it is"
                                    + " put back all the same")
            @Nullable
            String ifLate) {}

    JobRequest asked() {
        return new JobRequest(
                name,
                script,
                command,
                make,
                cores,
                nodes,
                memoryMib,
                gpus,
                walltime,
                partition,
                project,
                environment,
                checkpoint == null
                        ? null
                        : new JobRequest.Checkpoint(
                                checkpoint.method(),
                                checkpoint.signal(),
                                checkpoint.marker(),
                                checkpoint.grace(),
                                checkpoint.ifLate()),
                source,
                directory,
                target,
                strict,
                software,
                scriptName);
    }
}
