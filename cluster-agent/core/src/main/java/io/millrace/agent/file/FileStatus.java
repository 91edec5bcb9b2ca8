package io.millrace.agent.file;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code stat} of a path without links. Empty if it does not exist. */
record FileStatus(String path) implements CommandLine<Optional<FileStatus.Status>> {

    /** The type in the mode of a file (inode(7)). */
    private static final int TYPE = 0xF000;

    private static final int REGULAR = 0x8000;
    private static final int FOLDER = 0x4000;
    private static final Pattern OUTPUT = Pattern.compile("([0-9a-f]{1,8}) (\\d{1,18}) (-?\\d{1,18})");

    record Status(int mode, long size, Instant modifiedAt) {
        boolean isRegular() {
            return (mode & TYPE) == REGULAR;
        }

        boolean isFolder() {
            return (mode & TYPE) == FOLDER;
        }
    }

    @Override
    public List<String> argv() {
        return List.of("stat", "--printf=%f %s %Y", "--", path);
    }

    @Override
    public Answer<Optional<Status>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return FileErrors.missingOr(result);
        }
        final Matcher found = OUTPUT.matcher(result.outputText());
        return found.matches()
                ? Answer.ok(Optional.of(new Status(
                        Integer.parseInt(found.group(1), 16),
                        Long.parseLong(found.group(2)),
                        Instant.ofEpochSecond(Long.parseLong(found.group(3))))))
                : Answer.trouble(Answer.Kind.UNREADABLE, "cannot read the output of stat for '" + path + "'");
    }
}
