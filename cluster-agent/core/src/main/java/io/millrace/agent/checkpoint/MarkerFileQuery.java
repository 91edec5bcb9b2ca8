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
 * {@code stat} of a marker file, asked with the rights of the job's owner: the agent may not be able to enter the directory, and what
 * lies there is the owner's to name.
 */
public record MarkerFileQuery(String path) implements CommandLine<Optional<MarkerFileQuery.Mark>> {

    /** Device and inode, size, time of the last change in seconds with nine digits of a fraction. */
    private static final Pattern SAID = Pattern.compile("(\\d+:\\d+) (\\d+) (-?\\d{1,18})\\.(\\d{9})");

    /** What a file is known by; a marker of an earlier checkpoint must not be taken for a new one. */
    record Mark(String inode, Instant modified, long size) {}

    @Override
    public List<String> argv() {
        return List.of("stat", "--printf=%d:%i %s %.9Y", "--", path);
    }

    @Override
    public Answer<Optional<Mark>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return result.complaint().contains("No such file")
                    ? Answer.ok(Optional.empty())
                    : Answer.trouble(
                            Answer.Kind.DENIED, "its owner cannot look for '" + path + "': " + result.complaint());
        }
        final Matcher said = SAID.matcher(result.outputText());
        if (!said.matches()) {
            return Answer.trouble(Answer.Kind.UNREADABLE, "stat said of '" + path + "': " + result.outputText());
        }
        final Instant modified = Instant.ofEpochSecond(Long.parseLong(said.group(3)), Long.parseLong(said.group(4)));
        return Answer.ok(Optional.of(new Mark(said.group(1), modified, Long.parseLong(said.group(2)))));
    }
}
