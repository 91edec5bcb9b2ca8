package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;

/**
 * Removes the folders that rsync uses during a copy, at its end: that of temporary files, and those with partial files of interrupted
 * copies. Killed copies may have left files in them. rsync removes a folder of partial files when it empties it; the folder remains if
 * rsync was killed right after creating it, or if the file has been removed from the source.
 */
record RemoveLeftovers(Place to) implements CommandLine<Boolean> {

    private static final String SCRIPT = """
        rm -r -f --one-file-system -- "$1/$2" || exit
        exec find "$1/" -xdev -type d -name "$3" -prune -exec rm -r -f --one-file-system -- {} +
        """;

    @Override
    public List<String> argv() {
        return List.of("bash", "-c", SCRIPT, "leftovers", to.path(), Rsync.ARRIVING, Rsync.PARTIAL);
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
                        "cannot clear '" + Rsync.ARRIVING + "' and '" + Rsync.PARTIAL + "' below " + to + ": "
                                + result.errorText());
    }
}
