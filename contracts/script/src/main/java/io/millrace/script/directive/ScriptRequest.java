package io.millrace.script.directive;

import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a script requests in total. Null means that the script does not specify it.
 *
 * @param cores total cores
 * @param nodes number of nodes to spread the cores over
 * @param memoryMib total memory in MiB
 * @param walltime null also if {@link #unlimited}
 * @param environment variables that the script sets
 * @param array the option that makes the job an array
 * @param remarks how totals were derived, where it is not obvious
 */
public record ScriptRequest(
        @Nullable String name,
        @Nullable Integer cores,
        @Nullable Integer nodes,
        @Nullable Long memoryMib,
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

    public static ScriptRequest of(final List<ScriptOption> options) {
        return of(options, false);
    }

    /** @param memoryPerSlot see {@link ParsedScript#request(boolean)} */
    static ScriptRequest of(final List<ScriptOption> options, final boolean memoryPerSlot) {
        return new ResourceTotals(options, memoryPerSlot).asked();
    }
}
