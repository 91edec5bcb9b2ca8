package io.millrace.agent.file;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code realpath} of the job's directory and of a path in it: without links, as the owner sees them. Empty if one does not exist. */
record RealPaths(String directory, String file) implements CommandLine<Optional<RealPaths.Resolved>> {

    record Resolved(Path directory, Path file) {
        boolean isInside() {
            return file.startsWith(directory);
        }
    }

    @Override
    public List<String> argv() {
        return List.of("realpath", "-z", "-e", "--", directory, file);
    }

    @Override
    public Answer<Optional<Resolved>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return FileErrors.missingOr(result);
        }
        final String[] paths = result.outputText().split("\0");
        return paths.length == 2
                ? Answer.ok(Optional.of(new Resolved(Path.of(paths[0]), Path.of(paths[1]))))
                : Answer.trouble(Answer.Kind.UNREADABLE, "cannot read the output of realpath for '" + file + "'");
    }
}
