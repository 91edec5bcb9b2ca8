package io.millrace.script;

import java.util.Set;

/**
 * An option of a directive line.
 *
 * @param line line of the script, starting at 1; {@link #COMMAND_LINE} for an option of the command line
 * @param text the option with its value as written, without the prefix; at most 300 characters
 * @param effect what it changes. If it is essential, a cluster without an equivalent does not get the job; otherwise the option is left
 *     out there, with a note.
 * @param knownTo workload managers that have the option
 */
public record ScriptOption(
        int line, Dialect dialect, String text, JobSetting setting, OptionEffect effect, Set<WlmType> knownTo) {

    /** Instead of a line: the option is of the command line of the submission. */
    public static final int COMMAND_LINE = 0;

    private static final int LONGEST_TEXT = 300;

    public ScriptOption {
        text = shortened(text);
        knownTo = Set.copyOf(knownTo);
    }

    /** Text for a message. One directive can have thousands of options, and each of them is quoted. */
    public static String shortened(final String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }

    /** The location to display: {@code line 3: #PBS -l walltime=1:00:00}, {@code option --time=60}. */
    public String where() {
        return isOfCommandLine() ? "option " + text : "line " + line + ": " + dialect.prefix() + " " + text;
    }

    public boolean isOfCommandLine() {
        return line == COMMAND_LINE;
    }

    public ScriptOption with(final JobSetting other) {
        return new ScriptOption(line, dialect, text, other, effect, knownTo);
    }
}
