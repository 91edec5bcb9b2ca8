package io.millrace.log.loop;

/** A decider threw while deciding: our own mistake. */
final class DecisionFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String reason;

    DecisionFailedException(final String reason, final RuntimeException cause) {
        super(reason, cause);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
