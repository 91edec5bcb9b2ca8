package io.millrace.script.directive;

/** A directive that its own workload manager would reject; the message names the reason and the remedy. */
final class DirectiveSyntaxException extends Exception {

    private static final long serialVersionUID = 1;

    DirectiveSyntaxException(final String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
