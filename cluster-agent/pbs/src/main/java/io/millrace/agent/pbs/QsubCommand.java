package io.millrace.agent.pbs;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import java.time.Duration;

/** {@code qsub}, which runs in the job's directory and prints the id of the submitted job. */
public interface QsubCommand extends CommandLine<String> {

    Submission submission();

    /** The job sees this directory as PBS_O_WORKDIR. */
    @Override
    default String directory() {
        return submission().directory();
    }

    @Override
    default Duration limit() {
        return Duration.ofSeconds(20);
    }

    /** The job id in the last line of the output. A submit filter or a hook of the site can print other lines before it. */
    static Answer<String> jobId(final CommandResult result) {
        final String output = result.outputText().strip();
        final String id = output.lines().reduce("", (first, second) -> second).strip();
        return PbsId.in(id).isPresent()
                ? Answer.ok(id)
                : Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "qsub printed no job id: '" + output.substring(0, Math.min(80, output.length())) + "'");
    }
}
