package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;

/** Runs command lines. Responsible for time limits, output limits and the account a command runs as. */
public interface Runner {

    /**
     * Runs the command and parses its output. The run itself fails with {@code TIMEOUT} (it was killed) or {@code UNREADABLE} (too much
     * output).
     *
     * @throws java.io.UncheckedIOException if the program cannot be started at all
     */
    <T> Answer<T> run(CommandLine<T> command);

    /** Whether commands run on this host, so that their paths are paths of this host. */
    default boolean isHere() {
        return true;
    }

    /** A runner with the rights of this user. Its answers are {@code DENIED} if the account does not exist. */
    Runner as(UserName owner);
}
