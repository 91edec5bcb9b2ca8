package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.util.function.Predicate;

/** Runs command lines. Responsible for time limits, output limits and the account a command runs as. */
public interface Runner {

    /**
     * Runs the command and parses its output. The run itself fails with {@code TIMEOUT} (it was killed) or {@code UNREADABLE} (too much
     * output).
     *
     * @throws java.io.UncheckedIOException if the program cannot be started at all
     */
    <T> Answer<T> run(CommandLine<T> command);

    /**
     * Runs the command as {@link #run(CommandLine)} does, and passes on each line of its output as soon as it is printed.
     *
     * @param taken returns whether the line is dealt with and is not part of the output. A runner that cannot read the output early does
     *     not call it
     */
    default <T> Answer<T> run(final CommandLine<T> command, final Predicate<String> taken) {
        return run(command);
    }

    /** Whether commands run on this host, so that their paths are paths of this host. */
    default boolean isHere() {
        return true;
    }

    /**
     * A runner with the rights of this user, for the few commands that no signature covers. Its answers are {@code DENIED} if the account
     * does not exist.
     */
    Runner as(UserName owner);

    /**
     * A runner with the rights of this user. Its answers are {@code DENIED} if the account does not exist, or if the agent is not root and
     * the authority does not cover the command.
     */
    default Runner as(final UserName owner, final Authority authority) {
        return as(owner);
    }
}
