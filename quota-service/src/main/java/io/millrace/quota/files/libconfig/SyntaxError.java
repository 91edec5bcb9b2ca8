package io.millrace.quota.files.libconfig;

/** A syntax error; the message has the position and what was expected. */
public final class SyntaxError extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public SyntaxError(final Value.Position at, final String what) {
        super(at + ": " + what);
    }
}
