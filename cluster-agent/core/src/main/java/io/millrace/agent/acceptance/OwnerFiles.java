package io.millrace.agent.acceptance;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Files in the directory of a job. The agent may have no access to them, so every command runs with the rights of their owner. */
final class OwnerFiles {

    private final Runner owner;
    private final String directory;

    OwnerFiles(final Runner owner, final String directory) {
        this.owner = owner;
        this.directory = directory;
    }

    /** The content of a file; empty if it does not exist. */
    String text(final String file) {
        return run(new Command(List.of("cat", "--", directory + "/" + file), ""));
    }

    boolean exists(final String file) {
        return !attributes(file).isEmpty();
    }

    void create(final String file) {
        run(new Command(List.of("tee", "--", directory + "/" + file), "\n"));
    }

    /** Owner and permissions, such as {@code anna 644}; empty if the file does not exist. */
    String attributes(final String file) {
        return run(new Command(List.of("stat", "--printf=%U %a", "--", directory + "/" + file), ""));
    }

    /** Removes the directory with everything in it. */
    void remove() {
        run(new Command(List.of("find", directory, "-delete"), ""));
    }

    private String run(final Command command) {
        return CheckFailure.valueOf(owner.run(command));
    }

    private record Command(List<String> argv, String text) implements CommandLine<String> {

        @Override
        public byte[] input() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Answer<String> read(final CommandResult result) {
            if (result.succeeded()) {
                return Answer.ok(result.outputText());
            }
            return result.errorText().contains("No such file")
                    ? Answer.ok("")
                    : Answer.trouble(
                            Answer.Kind.DENIED,
                            "'" + String.join(" ", argv) + "' failed for the user of the test: " + result.errorText());
        }
    }
}
