package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;

/**
 * Removes the folders with partial files of interrupted copies. rsync removes such a folder when it empties it; the folder remains if rsync
 * was killed right after creating it, or if the file has been removed from the source.
 */
record RemovePartialFiles(Place to) implements CommandLine<Boolean> {

    @Override
    public List<String> argv() {
        return List.of(
                "find",
                to.path() + "/",
                "-xdev",
                "-type",
                "d",
                "-name",
                Rsync.PARTIAL,
                "-prune",
                "-exec",
                "rm",
                "-r",
                "-f",
                "--one-file-system",
                "--",
                "{}",
                "+");
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(5);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(true)
                : Answer.trouble(
                        Answer.Kind.REJECTED,
                        "cannot clear '" + Rsync.PARTIAL + "' below " + to + ": " + result.errorText());
    }
}
