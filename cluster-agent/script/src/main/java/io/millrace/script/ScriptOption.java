package io.millrace.script;

/**
 * One option of a directive line.
 *
 * @param line of the script, from 1
 * @param text the option with its value as it stands there, without the prefix
 */
public record ScriptOption(int line, Dialect dialect, String text, JobSetting setting) {

    /** For people: {@code line 3: #PBS -l walltime=1:00:00}. */
    public String where() {
        return "line " + line + ": " + dialect.prefix() + " " + text;
    }
}
