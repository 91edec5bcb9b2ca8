package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;

/**
 * Removes the folders where beginnings of interrupted files waited. rsync removes those it empties itself; one that it had just made when
 * it was killed, or whose file is gone from the source, is nobody's.
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
                        "cannot clear '" + Rsync.PARTIAL + "' below " + to + ": " + result.complaint());
    }
}
