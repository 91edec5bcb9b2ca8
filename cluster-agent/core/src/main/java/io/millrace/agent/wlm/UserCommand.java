package io.millrace.agent.wlm;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A command as a user types it, past Millrace.
 *
 * @param text standard input
 */
public record UserCommand(List<String> argv, Map<String, String> environment, String text, String directory)
        implements CommandLine<Accepted> {

    public UserCommand {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }

    @Override
    public byte[] input() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Answer<Accepted> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(new Accepted(result.outputText().strip()))
                : KnownErrors.failure(argv.getFirst(), result.exit(), result.errorText(), Answer.Kind.REJECTED, "");
    }
}
