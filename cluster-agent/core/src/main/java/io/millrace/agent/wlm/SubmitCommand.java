package io.millrace.agent.wlm;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import java.util.Optional;

/** A command line that submits a job, such as {@code sbatch}, {@code bsub} or {@code qsub}. Its answer is the local job id. */
public interface SubmitCommand extends CommandLine<String> {

    /** Why the job must not be submitted; empty if it may. */
    Optional<String> refusal();

    /** The refusal of arguments that no command line can contain; empty if they are valid. */
    default Optional<String> invalidArguments() {
        return argv().stream().anyMatch(argument -> argument.indexOf('\0') >= 0)
                ? Optional.of("the job name or a script option contains a NUL character; remove it")
                : Optional.empty();
    }

    /** @param id the job id in the standard output; empty if there is none */
    default Answer<String> jobId(final Optional<String> id, final CommandResult result) {
        return id.map(Answer::ok)
                .orElseGet(() -> Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "no job id in the output of " + argv().getFirst() + ": '"
                                + result.outputText().strip() + "'"));
    }
}
