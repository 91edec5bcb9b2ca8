package io.millrace.agent.file;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.util.Optional;

/** Errors of the programs that read files. */
final class FileErrors {

    private FileErrors() {}

    /** An empty answer if the file does not exist, otherwise the error. */
    static <T> Answer<Optional<T>> missingOr(final CommandResult result) {
        final String error = result.errorText();
        return error.contains("No such file") || error.contains("Not a directory")
                ? Answer.ok(Optional.empty())
                : denied(result);
    }

    static <T> Answer<T> denied(final CommandResult result) {
        return Answer.trouble(Answer.Kind.DENIED, result.errorText());
    }
}
