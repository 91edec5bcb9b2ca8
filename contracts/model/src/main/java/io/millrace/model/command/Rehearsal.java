package io.millrace.model.command;

import java.util.List;

/**
 * How a cluster would take a submission.
 *
 * @param command the command line that would hand the job in, word by word
 * @param script what would be handed in with it
 * @param lost options of the script that have no equivalent here, each with its line and the reason
 * @param remarks what else its owner should know: paths that do not exist here, modules that will be loaded
 */
public record Rehearsal(List<String> command, String script, List<String> lost, List<String> remarks) {

    public Rehearsal {
        command = List.copyOf(command);
        lost = List.copyOf(lost);
        remarks = List.copyOf(remarks);
    }
}
