package io.millrace.agent.acceptance;

/** This installation does not provide what a check examines. The message gives the reason. */
final class NotSupported extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotSupported(final String reason) {
        super(reason);
    }
}
