package io.millrace.script;

/** A directive says something that its own system would not take; the message names the reason and the remedy. */
final class DirectiveSyntaxException extends Exception {

    private static final long serialVersionUID = 1;

    DirectiveSyntaxException(final String because) {
        super(because, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
