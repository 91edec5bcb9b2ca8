package io.millrace.submit.domain.job;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A submission as it was sent, not yet checked.
 *
 * @param script the job script; or else {@code command}
 * @param command words of a command line, run as they are
 * @param make script of the build step
 * @param memoryMib in all, in MiB
 * @param walltime see {@link WalltimeText}
 * @param source cluster on which {@code directory} lies
 * @param directory absolute
 * @param target the cluster to run on; null lets Millrace choose
 * @param strict whether an option of the script without equivalent on a cluster keeps the job from it
 * @param software names of what the job needs, for which each cluster knows the modules
 * @param scriptName the script's file name, which names the job where nothing else does
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
        @Nullable String scriptName) {

    /**
     * How the application saves itself.
     *
     * @param signal name without SIG
     * @param marker file name relative to the job's directory
     * @param grace how long it may take, written as a walltime
     */
    public record Checkpoint(
            @Nullable String method,
            @Nullable String signal,
            @Nullable String marker,
            @Nullable String grace,
            @Nullable String ifLate) {}
}
