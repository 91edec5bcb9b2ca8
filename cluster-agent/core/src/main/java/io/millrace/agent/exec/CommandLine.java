package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command line and the parser of its output, both pure. The arguments are passed to the kernel unchanged, without a shell.
 *
 * @param <T> the parsed answer
 */
public interface CommandLine<T> {

    /** Default of {@link #limit}. */
    Duration DEFAULT_LIMIT = Duration.ofSeconds(10);

    /** Program and arguments, unquoted. */
    List<String> argv();

    /** Standard input; empty by default. */
    default byte[] input() {
        return new byte[0];
    }

    /** Environment variables in addition to those of every command (PATH, HOME, USER, LOGNAME, SHELL, LC_ALL). */
    default Map<String, String> environment() {
        return Map.of();
    }

    /** Working directory, entered with the rights of the user the command runs as; null: {@code /}. */
    default @Nullable String directory() {
        return null;
    }

    /** Time limit, after which the command is killed and the answer is {@code TIMEOUT}. */
    default Duration limit() {
        return DEFAULT_LIMIT;
    }

    Answer<T> read(CommandResult result);
}
