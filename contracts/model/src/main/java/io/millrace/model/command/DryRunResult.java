package io.millrace.model.command;

import java.util.List;

/**
 * How a cluster would take a submission.
 *
 * @param command the command line that would hand the job in, word by word
 * @param script what would be handed in with it
 * @param ignoredOptions options of the script that have no equivalent here, each with its line and the reason
 * @param notes what else its owner should know: paths that do not exist here, modules that will be loaded
 */
public record DryRunResult(List<String> command, String script, List<String> ignoredOptions, List<String> notes) {

    public DryRunResult {
        command = List.copyOf(command);
        ignoredOptions = List.copyOf(ignoredOptions);
        notes = List.copyOf(notes);
    }
}
