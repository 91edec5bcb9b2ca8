package io.millrace.agent.slurm.accounting;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code grep} in the completion log and the rotated one.
 *
 * @param pieces fixed strings; a line matches if it contains any of them
 */
record CompletionLogQuery(SlurmSite site, List<String> pieces) implements CommandLine<List<EndedRun>> {

    static CompletionLogQuery of(final SlurmSite site, final Collection<JobKey> jobs) {
        return new CompletionLogQuery(
                site,
                jobs.stream()
                        .map(key -> "{\"job\":\"" + key.id().local() + "\",\"submitted\":"
                                + key.submittedAt().getEpochSecond() + ",")
                        .toList());
    }

    /** The tasks of these arrays, and of earlier arrays with the same id. */
    static CompletionLogQuery tasksOf(final SlurmSite site, final Collection<JobKey> arrays) {
        return new CompletionLogQuery(
                site,
                arrays.stream()
                        .flatMap(key -> Stream.of(
                                "{\"job\":\"" + key.id().local() + "_",
                                "{\"job\":\"" + key.id().local() + "\""))
                        .distinct()
                        .toList());
    }

    static CompletionLogQuery tagged(final SlurmSite site, final Collection<AttemptId> attempts) {
        return new CompletionLogQuery(
                site,
                attempts.stream()
                        .map(attempt -> ",\"tag\":\"" + attempt + "\",")
                        .toList());
    }

    @Override
    public List<String> argv() {
        return List.of(
                "grep",
                "--no-messages",
                "--no-filename",
                "--text",
                "--fixed-strings",
                "--file=-",
                "--",
                site.rotatedCompletionLog().toString(),
                site.completionLog().toString());
    }

    @Override
    public byte[] input() {
        return String.join("\n", pieces).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Answer<List<EndedRun>> read(final CommandResult result) {
        // Exit code 1: no match. Exit code 2 without an error message: a file does not exist yet.
        if (result.exit() > 2 || !result.errorText().isEmpty()) {
            return SlurmErrors.of("grep in " + site.completionLog(), result, Answer.Kind.UNREADABLE);
        }
        return Answer.ok(EndedRun.lines(result.outputText()));
    }
}
