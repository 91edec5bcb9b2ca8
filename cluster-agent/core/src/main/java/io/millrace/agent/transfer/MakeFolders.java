package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates folders with access for their owner only. Existing folders are not changed.
 *
 * @param folders absolute paths, outermost first
 * @param remedy what the reader of the error message can do if the owner has no permission to create them
 */
record MakeFolders(List<String> folders, String remedy) implements CommandLine<Boolean> {

    @Override
    public List<String> argv() {
        final List<String> words = new ArrayList<>(List.of("mkdir", "-p", "-m", "0700", "--"));
        words.addAll(folders);
        return List.copyOf(words);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(true)
                : Answer.trouble(
                        Answer.Kind.DENIED,
                        "cannot make '" + folders.getLast() + "': " + result.errorText() + "; " + remedy);
    }
}
