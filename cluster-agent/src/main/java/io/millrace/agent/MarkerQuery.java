package io.millrace.agent;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code stat} of a marker file, asked with the rights of the job's owner: the agent may not be able to enter the directory, and what
 * lies there is the owner's to name.
 */
record MarkerQuery(String path) implements CommandLine<Optional<MarkerQuery.Mark>> {

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
        final String[] word = result.outputText().split(" ");
        final BigDecimal seconds = new BigDecimal(word[2]);
        final long whole = seconds.longValue();
        final long nanos =
                seconds.subtract(BigDecimal.valueOf(whole)).movePointRight(9).longValue();
        return Answer.ok(Optional.of(new Mark(word[0], Instant.ofEpochSecond(whole, nanos), Long.parseLong(word[1]))));
    }
}
