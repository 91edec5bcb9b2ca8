package io.millrace.agent.wlm;

import io.millrace.agent.wlm.Answer.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Classifies the error messages of a workload manager's commands. The first known error whose text occurs in a message determines the kind
 * of trouble and the remedy.
 */
public record KnownErrors(List<KnownError> errors) {

    /**
     * @param text part of the message, in any case
     * @param remedy what the reader can do about it; empty if there is nothing specific
     */
    public record KnownError(String text, Kind kind, String remedy) {

        public KnownError(final String text, final Kind kind) {
            this(text, kind, "");
        }

        private boolean isIn(final String lowerCaseMessage) {
            return lowerCaseMessage.contains(text.toLowerCase(Locale.ROOT));
        }
    }

    public KnownErrors {
        errors = List.copyOf(errors);
    }

    public static KnownErrors of(final KnownError... errors) {
        return new KnownErrors(List.of(errors));
    }

    public Optional<KnownError> find(final String message) {
        final String lowerCaseMessage = message.toLowerCase(Locale.ROOT);
        return errors.stream().filter(known -> known.isIn(lowerCaseMessage)).findFirst();
    }

    /** The answer of a failed command: {@code sbatch failed (exit code 1): Invalid account; add the user to the account}. */
    public static <T> Answer<T> failure(
            final String command, final int exitCode, final String message, final Kind kind, final String remedy) {
        return Answer.trouble(
                kind,
                command + " failed (exit code " + exitCode + "): " + (message.isEmpty() ? "no error message" : message)
                        + (remedy.isEmpty() ? "" : "; " + remedy));
    }
}
