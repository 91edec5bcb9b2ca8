package io.millrace.script;

/**
 * A directive that cannot be read.
 *
 * @param line of the script, from 1
 * @param text what stands there
 * @param because the reason and the remedy, one sentence
 */
public record Problem(int line, String text, String because) {

    @Override
    public String toString() {
        return "line " + line + ": " + text + ": " + because;
    }
}
