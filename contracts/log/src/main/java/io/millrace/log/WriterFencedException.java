package io.millrace.log;

/** Another writer opened the same transactional id: this one can no longer write. */
public final class WriterFencedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WriterFencedException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
