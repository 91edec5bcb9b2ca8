package io.millrace.model.command;

import java.util.List;

/**
 * How a cluster would submit a job.
 *
 * @param command the submit command line, argument by argument
 * @param script the script that would be submitted
 * @param ignoredOptions options of the script that have no equivalent here, each with its line and the reason
 * @param notes further information: paths that do not exist here, modules that will be loaded
 */
public record DryRunResult(List<String> command, String script, List<String> ignoredOptions, List<String> notes) {

    public DryRunResult {
        command = List.copyOf(command);
        ignoredOptions = List.copyOf(ignoredOptions);
        notes = List.copyOf(notes);
    }
}
