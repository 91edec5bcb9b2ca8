package io.millrace.script;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a script asks for in all. What it does not say is null.
 *
 * @param cores in all
 * @param nodes the cores must be spread over
 * @param memory_mib in all
 * @param walltime null also where it is {@link #unlimited}
 * @param environment variables with the values the script gives them
 * @param array the option that makes it an array
 * @param remarks how figures were arrived at where that is not plain
 */
public record ScriptRequest(
        @Nullable String name,
        @Nullable Integer cores,
        @Nullable Integer nodes,
        @Nullable Long memory_mib,
        @Nullable Integer gpus,
        @Nullable Duration walltime,
        boolean unlimited,
        @Nullable String partition,
        @Nullable String project,
        Map<String, String> environment,
        @Nullable ScriptOption array,
        TaskLayout layout,
        List<String> remarks) {

    public ScriptRequest {
        environment = Map.copyOf(environment);
        remarks = List.copyOf(remarks);
    }

    static ScriptRequest of(final List<ScriptOption> options) {
        return new ResourceTotals(options).asked();
    }

    /** Whether it says anything about cores, memory or GPUs. */
    boolean hasSize() {
        return cores != null || memory_mib != null || gpus != null;
    }
}
