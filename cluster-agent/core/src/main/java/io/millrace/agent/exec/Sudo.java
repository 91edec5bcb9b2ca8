package io.millrace.agent.exec;

import java.util.Optional;
import java.util.regex.Pattern;

/** Recognizes error messages of sudo itself, as opposed to those of the program that it started. */
public final class Sudo {

    private static final Pattern NO = Pattern.compile(
            "(?m)^(sudo: (a password is required|a terminal is required|unknown user|no tty present|account validation"
                    + " failure|sorry, you|effective uid is not 0)|Sorry, user .* (is not allowed to|may not run)|.* is"
                    + " not in the sudoers file)");

    private Sudo() {}

    /** Why sudo did not start the program; empty if it did. */
    public static Optional<String> refusal(final CommandResult result) {
        return result.exit() == 1 && NO.matcher(result.errorText()).find()
                ? Optional.of(result.errorText()
                        + "; install deploy/agent/sudoers.d/millrace as /etc/sudoers.d/millrace and the helper of"
                        + " deploy/agent/helper")
                : Optional.empty();
    }
}
