package io.millrace.script.directive;

import io.millrace.script.Dialect;
import io.millrace.script.ScriptOption;

/**
 * A directive that cannot be parsed.
 *
 * @param line line of the script, starting at 1; {@link ScriptOption#COMMAND_LINE} for an option of the command line
 * @param text the directive as written, with its prefix
 * @param reason the reason and the remedy, one sentence
 */
public record InvalidDirective(int line, String text, String reason) {

    public InvalidDirective {
        text = ScriptOption.shortened(text);
        reason = ScriptOption.shortened(reason);
    }

    /** @param text without the prefix of the dialect */
    static InvalidDirective of(final int line, final Dialect dialect, final String text, final String reason) {
        return new InvalidDirective(
                line, line == ScriptOption.COMMAND_LINE ? text : dialect.prefix() + " " + text, reason);
    }

    public boolean isOfCommandLine() {
        return line == ScriptOption.COMMAND_LINE;
    }

    @Override
    public String toString() {
        return (isOfCommandLine() ? "option " : "line " + line + ": ") + text + ": " + reason;
    }
}
