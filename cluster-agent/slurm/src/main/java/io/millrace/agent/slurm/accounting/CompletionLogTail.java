package io.millrace.agent.slurm.accounting;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.wlm.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code tail}: the last lines of the completion log, or of the rotated one.
 *
 * @param bytes the number of bytes to read
 */
record CompletionLogTail(Path file, long bytes) implements CommandLine<CompletionLogTail.Lines> {

    /**
     * @param ends null if the file does not exist, because {@code jobcomp.lua} is not installed or the log was never rotated
     * @param whole whether this is the complete file
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
        if (result.errorText().contains("No such file")) {
            return Answer.ok(new Lines(null, true));
        }
        return result.succeeded()
                ? Answer.ok(new Lines(EndedRun.lines(result.outputText()), result.output().length < bytes))
                : SlurmErrors.of("tail of " + file, result, Answer.Kind.UNREADABLE);
    }
}
