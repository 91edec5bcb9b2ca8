package io.millrace.agent.transfer;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.model.UserName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Whether these are folders that belong to their user.
 *
 * @param follow whether a symbolic link to such a folder will do: yes for a user's own place, no below the staging root, where others
 *     could have put it
 */
record OwnedFolders(List<String> folders, UserName owner, boolean follow) implements CommandLine<Boolean> {

    @Override
    public List<String> argv() {
        final List<String> words = new ArrayList<>(List.of("find", follow ? "-H" : "-P"));
        words.addAll(folders);
        words.addAll(List.of("-maxdepth", "0", "-type", "d", "-user", owner.value(), "-printf", "%p\\0"));
        return List.copyOf(words);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        final Set<String> good = Set.copyOf(List.of(result.outputText().split("\0")));
        for (final String folder : folders) {
            if (!good.contains(folder)) {
                return Answer.trouble(
                        Answer.Kind.DENIED,
                        "'" + folder + "' is not a folder of user '" + owner + "'"
                                + (result.succeeded() ? "; chown it or choose another" : ": " + result.complaint()));
            }
        }
        return Answer.ok(true);
    }
}
