package io.millrace.script;

/**
 * A directive that cannot be read.
 *
 * @param line of the script, from 1
 * @param text what stands there
 * @param reason the reason and the remedy, one sentence
 */
public record InvalidDirective(int line, String text, String reason) {

    @Override
    public String toString() {
        return "line " + line + ": " + text + ": " + reason;
    }
}
