package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks whether a path is a folder that belongs to the user who runs the command.
 *
 * @param follow whether a symbolic link to such a folder is accepted: true for a user's own folder, false below the staging root, where
 *     another user could have created the link
 */
record FolderOwnership(String folder, boolean follow) implements CommandLine<Boolean> {

    @Override
    public List<String> argv() {
        final List<String> words = new ArrayList<>(List.of("test", "-d", folder, "-a", "-O", folder));
        if (!follow) {
            words.addAll(List.of("-a", "!", "-L", folder));
        }
        return List.copyOf(words);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(true)
                : Answer.trouble(
                        Answer.Kind.DENIED,
                        "'" + folder + "' is not a folder of the job's owner; make it theirs or choose another"
                                + (result.error().length == 0 ? "" : ": " + result.errorText()));
    }
}
