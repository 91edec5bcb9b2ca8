package io.millrace.agent.transfer.objectstore;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A short call of rclone. The answer is its output, each byte as one character.
 *
 * @param words the command of rclone and its arguments
 * @param text standard input, each character as one byte
 * @param mayBeMissing whether the object or folder need not exist; the answer is then empty
 */
public record RcloneCommand(ObjectStore store, Duration stall, List<String> words, String text, boolean mayBeMissing)
        implements CommandLine<String> {

    private static final int FOLDER_NOT_FOUND = 3;
    private static final int OBJECT_NOT_FOUND = 4;

    /** Writes a small object. */
    public static RcloneCommand write(
            final ObjectStore store, final Duration stall, final String path, final String text) {
        return new RcloneCommand(store, stall, List.of("rcat", path), text, false);
    }

    /** Reads a small object. */
    public static RcloneCommand read(final ObjectStore store, final Duration stall, final String path) {
        return new RcloneCommand(store, stall, List.of("cat", path), "", false);
    }

    /** Lists a folder: lines {@code SIZE NAME}, where the names of folders end with a slash. */
    public static RcloneCommand list(final ObjectStore store, final Duration stall, final String path) {
        return new RcloneCommand(store, stall, List.of("lsf", "--format=sp", "--separator= ", path), "", true);
    }

    public static RcloneCommand removeObject(final ObjectStore store, final Duration stall, final String path) {
        return new RcloneCommand(store, stall, List.of("deletefile", path), "", true);
    }

    public static RcloneCommand removeFolder(final ObjectStore store, final Duration stall, final String path) {
        return new RcloneCommand(store, stall, List.of("purge", path), "", true);
    }

    @Override
    public List<String> argv() {
        return store.words(stall, 0, words);
    }

    @Override
    public byte[] input() {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public Duration limit() {
        return Duration.ofHours(1);
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        if (mayBeMissing && isMissing(result)) {
            return Answer.ok("");
        }
        return result.succeeded()
                ? Answer.ok(new String(result.output(), StandardCharsets.ISO_8859_1))
                : RcloneErrors.read(store, result.exit(), result.errorText());
    }

    /** {@code deletefile} has no exit code of its own for a missing object. */
    private static boolean isMissing(final CommandResult result) {
        return result.exit() == FOLDER_NOT_FOUND
                || result.exit() == OBJECT_NOT_FOUND
                || result.errorText().contains("is a directory or doesn't exist");
    }
}
