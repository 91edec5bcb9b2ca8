package io.millrace.cli;

/** A failed command with its exit code. The message names the failure, the value and the remedy. */
final class CommandException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CommandException(final int exit, final String message) {
        super(message);
        this.exitCode = exit;
    }

    int exitCode() {
        return exitCode;
    }
}
