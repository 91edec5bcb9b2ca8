package io.millrace.agent.torque.command;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.torque.query.TorqueErrors;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Writes the signal that the job's script should forward to a file, as the job's owner. */
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
                ? Answer.ok(new Accepted("signal " + signal + " written"))
                : TorqueErrors.of("tee " + file, result, Answer.Kind.REJECTED);
    }
}
