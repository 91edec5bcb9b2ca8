package io.millrace.log;

/** A decider threw while deciding: our own mistake. */
final class DecisionFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DecisionFailed(final String message, final RuntimeException cause) {
        super(message, cause);
    }
}
