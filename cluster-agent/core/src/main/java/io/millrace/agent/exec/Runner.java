package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;

/** Runs command lines; owns time limits, output caps and whose rights a command has. */
public interface Runner {

    /**
     * Runs it and reads what it said. Trouble of the run itself: {@code TIMEOUT} (it was killed), {@code UNREADABLE} (more output than
     * the cap).
     *
     * @throws java.io.UncheckedIOException if the program cannot be started at all
     */
    <T> Answer<T> run(CommandLine<T> command);

    /** Whether the paths that it hands to programs are those of this host. */
    default boolean isHere() {
        return true;
    }

    /** A runner with the rights of this user; {@code DENIED} if there is no such account. */
    Runner as(UserName owner);
}
