package io.millrace.script;

/**
 * An option of a directive line.
 *
 * @param line line of the script, starting at 1
 * @param text the option with its value as written, without the prefix
 */
public record ScriptOption(int line, Dialect dialect, String text, JobSetting setting) {

    /** The location to display: {@code line 3: #PBS -l walltime=1:00:00}. */
    public String where() {
        return "line " + line + ": " + dialect.prefix() + " " + text;
    }
}
