package io.millrace.agent.openpbs;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Writes, with the owner's rights, which signal a job's script is to hand on. */
record SignalFile(Path file, String signal) implements CommandLine<Accepted> {

    @Override
    public List<String> argv() {
        return List.of("tee", "--", file.toString());
    }

    @Override
    public byte[] input() {
        return (signal + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Answer<Accepted> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(new Accepted("noted " + signal))
                : CommandErrors.of("tee " + file, result, Answer.Kind.REJECTED);
    }
}
