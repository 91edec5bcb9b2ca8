package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One command line of a workload manager: how to ask and how to read, both pure. The list is handed to the kernel as it is; no shell
 * ever sees it.
 */
public interface CommandLine<T> {

    /** Limit of a command that says nothing else. */
    Duration DEFAULT_LIMIT = Duration.ofSeconds(10);

    /** Program and arguments, unquoted. */
    List<String> argv();

    /** What goes to standard input; nothing by default. */
    default byte[] input() {
        return new byte[0];
    }

    /** Variables beside the few that every command gets (PATH, HOME, USER, LOGNAME, SHELL, LC_ALL). */
    default Map<String, String> environment() {
        return Map.of();
    }

    /** Directory it runs in, entered with the rights of the user it runs as; null for {@code /}. */
    default @Nullable String directory() {
        return null;
    }

    /** After this time it is killed, and the answer is {@code TIMEOUT}. */
    default Duration limit() {
        return DEFAULT_LIMIT;
    }

    Answer<T> read(CommandResult result);
}
