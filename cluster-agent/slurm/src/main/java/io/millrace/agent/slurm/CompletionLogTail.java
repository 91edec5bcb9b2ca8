package io.millrace.agent.slurm;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last lines of {@code millrace.ends}, or of the file rotated before it.
 *
 * @param bytes how much of its end
 */
record CompletionLogTail(Path file, long bytes) implements CommandLine<CompletionLogTail.Lines> {

    /**
     * @param ends null if there is no such file: {@code jobcomp.lua} is not installed, or nothing was rotated yet
     * @param whole whether this is the whole file
     */
    record Lines(@Nullable List<EndedRun> ends, boolean whole) {}

    @Override
    public List<String> argv() {
        return List.of("tail", "--bytes=" + bytes, "--", file.toString());
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Answer<Lines> read(final CommandResult result) {
        if (result.complaint().contains("No such file")) {
            return Answer.ok(new Lines(null, true));
        }
        return result.succeeded()
                ? Answer.ok(new Lines(EndedRun.lines(result.outputText()), result.output().length < bytes))
                : SlurmErrors.of("tail of " + file, result, Answer.Kind.UNREADABLE);
    }
}
