package io.millrace.log;

/** An event that can never be written: it is too large, or has no JSON form. */
public final class UnwritableEventException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnwritableEventException(final String message) {
        super(message);
    }

    UnwritableEventException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
