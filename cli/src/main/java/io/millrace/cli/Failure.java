package io.millrace.cli;

/** A command that cannot go on. The message names the thing and the remedy. */
final class Failure extends Exception {

    private static final long serialVersionUID = 1L;

    private final int exit;

    Failure(final int exit, final String message) {
        super(message);
        this.exit = exit;
    }

    int exit() {
        return exit;
    }
}
