package io.millrace.cli.api;

/** A failed command with its exit code. The message names the failure, the value and the remedy. */
public final class CommandException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public CommandException(final int exit, final String message) {
        super(message);
        this.exitCode = exit;
    }

    public int exitCode() {
        return exitCode;
    }
}
