package io.millrace.script.directive;

/**
 * A directive that cannot be parsed.
 *
 * @param line line of the script, starting at 1
 * @param text the directive as written
 * @param reason the reason and the remedy, one sentence
 */
public record InvalidDirective(int line, String text, String reason) {

    @Override
    public String toString() {
        return "line " + line + ": " + text + ": " + reason;
    }
}
