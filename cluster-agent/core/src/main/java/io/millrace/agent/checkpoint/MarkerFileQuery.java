package io.millrace.agent.checkpoint;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code stat} of a marker file, with the rights of the job's owner: the agent may not have access to the directory.
 */
public record MarkerFileQuery(String path) implements CommandLine<Optional<MarkerFileQuery.Mark>> {

    /** Device and inode, size, modification time in seconds with nine decimal places. */
    private static final Pattern OUTPUT = Pattern.compile("(\\d{1,18}:\\d{1,18}) (\\d{1,18}) (-?\\d{1,18})\\.(\\d{9})");

    /** Identifies a version of the file, so that the marker of an earlier checkpoint is not taken for a new one. */
    record Mark(String inode, Instant modified, long size) {}

    @Override
    public List<String> argv() {
        return List.of("stat", "--printf=%d:%i %s %.9Y", "--", path);
    }

    @Override
    public Answer<Optional<Mark>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return result.errorText().contains("No such file")
                    ? Answer.ok(Optional.empty())
                    : Answer.trouble(
                            Answer.Kind.DENIED, "its owner has no access to '" + path + "': " + result.errorText());
        }
        final Matcher found = OUTPUT.matcher(result.outputText());
        if (!found.matches()) {
            return Answer.trouble(Answer.Kind.UNREADABLE, "cannot read the output of stat for '" + path + "'");
        }
        final Instant modified = Instant.ofEpochSecond(Long.parseLong(found.group(3)), Long.parseLong(found.group(4)));
        return Answer.ok(Optional.of(new Mark(found.group(1), modified, Long.parseLong(found.group(2)))));
    }
}
