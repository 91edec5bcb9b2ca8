package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Removes folders that rsync uses during a copy, at its end. Killed copies may have left files in them. */
record RemoveLeftovers(Place to, String folder, List<String> argv) implements CommandLine<Boolean> {

    private static final List<String> REMOVE = List.of("rm", "-r", "-f", "--one-file-system", "--");

    /** The folder of temporary files. */
    static RemoveLeftovers temporaryFiles(final Place to) {
        return of(to, Rsync.ARRIVING, Stream.concat(REMOVE.stream(), Stream.of(to.path() + "/" + Rsync.ARRIVING)));
    }

    /**
     * The folders with partial files of interrupted copies. rsync removes such a folder when it empties it; the folder remains if rsync
     * was killed right after creating it, or if the file has been removed from the source.
     */
    static RemoveLeftovers partialFiles(final Place to) {
        final List<String> find =
                List.of("find", to.path() + "/", "-xdev", "-type", "d", "-name", Rsync.PARTIAL, "-prune", "-exec");
        return of(to, Rsync.PARTIAL, Stream.of(find, REMOVE, List.of("{}", "+")).flatMap(List::stream));
    }

    private static RemoveLeftovers of(final Place to, final String folder, final Stream<String> argv) {
        return new RemoveLeftovers(to, folder, argv.toList());
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
                        Answer.Kind.REJECTED, "cannot clear '" + folder + "' below " + to + ": " + result.errorText());
    }
}
