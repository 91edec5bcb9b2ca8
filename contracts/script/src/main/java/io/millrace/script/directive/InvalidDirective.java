package io.millrace.script.directive;

import io.millrace.script.ScriptOption;

/**
 * A directive that cannot be parsed.
 *
 * @param line line of the script, starting at 1
 * @param text the directive as written
 * @param reason the reason and the remedy, one sentence
 */
public record InvalidDirective(int line, String text, String reason) {

    public InvalidDirective {
        text = ScriptOption.shortened(text);
        reason = ScriptOption.shortened(reason);
    }

    @Override
    public String toString() {
        return "line " + line + ": " + text + ": " + reason;
    }
}
