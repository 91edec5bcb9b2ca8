package io.millrace.agent.openpbs;

import java.util.Map;
import java.util.TreeMap;

/**
 * The batch script: goes to the job's directory, sends all output to one file, runs the user's script by the interpreter its first line
 * names, and stays to hear signals for it. The user's text stands in a here-document behind a line of code, so {@code qsub} takes none
 * of its {@code #PBS} lines for an order.
 *
 * <p>{@code qsig} signals every process of the session, the login shell on top included, which dies of most signals and the job with it.
 * So the agent writes the signal's name into a file and sends SIGURG, which kills nobody; here it is heard and handed on. That login
 * shell would also turn "ended by signal 11" into exit code 139; it is made to end by the same signal, so that accounting tells the truth.
 */
final class JobScript {

    private JobScript() {}

    /** Name of the file in the job's directory that says which signal is meant. */
    static String signalFile(final String id) {
        return ".millrace-" + id + ".signal";
    }

    /**
     * @param variables names must be identifiers of the shell, see {@link #isName}
     * @param nonce a word that the user's script does not hold
     */
    static String of(
            final String script, final String directory, final Map<String, String> variables, final String nonce) {
        final String end = "MILLRACE_" + nonce;
        final StringBuilder exports = new StringBuilder();
        new TreeMap<>(variables)
                .forEach((name, value) -> exports.append("export ")
                        .append(name)
                        .append('=')
                        .append(quoted(value))
                        .append('\n'));
        return """
                #!/bin/bash
                {
                cd -- %s || exit 1
                exec </dev/null >>"millrace-$PBS_JOBID.out" 2>&1
                unset MILLRACE_NAME MILLRACE_DIRECTORY MILLRACE_SPREAD
                millrace_notes=$PWD/.millrace-$PBS_JOBID
                printf 'run\\n' >>"$millrace_notes.runs"
                export MILLRACE_RESTART=$(($(wc -l <"$millrace_notes.runs") - 1)) MILLRACE_JOB_ID="$PBS_JOBID"
                """.formatted(quoted(directory))
                + exports
                + """
                millrace_hear() {
                    local name
                    read -r name <"$millrace_notes.signal" && kill -s "$name" -- "-$millrace_job"
                } 2>/dev/null
                trap millrace_hear URG
                trap : TERM
                set -m
                """
                + interpreter(script)
                + " /dev/fd/3 3<<'" + end + "' &\n"
                + script
                + (script.endsWith("\n") ? "" : "\n")
                + end
                + """

                millrace_job=$!
                while :; do
                    # bash says so when a signal ended it, and is silent about exit codes above 128.
                    { wait "$millrace_job"; millrace_code=$?; } 2>"$millrace_notes.end"
                    kill -0 "$millrace_job" 2>/dev/null || break
                done
                { wait "$millrace_job"; millrace_code=$?; } 2>>"$millrace_notes.end"
                millrace_said=$(<"$millrace_notes.end")
                rm -f "$millrace_notes.end" "$millrace_notes.signal"
                if [[ -n $millrace_said && $millrace_code -gt 128 ]]; then
                    millrace_leader=$(ps -o sid= -p $$)
                    trap - TERM URG
                    ulimit -c 0
                    kill -s $((millrace_code - 128)) ${millrace_leader:-$$}
                fi
                exit "$millrace_code"
                }
                """;
    }

    static boolean isName(final String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]{0,254}");
    }

    /** As the kernel reads a first line: a path and at most one argument. */
    private static String interpreter(final String script) {
        if (!script.startsWith("#!")) {
            return "/bin/sh";
        }
        final String[] words =
                script.lines().findFirst().orElse("#!").substring(2).strip().split("\\s+", 2);
        if (words[0].isEmpty()) {
            return "/bin/sh";
        }
        return quoted(words[0]) + (words.length > 1 ? " " + quoted(words[1]) : "");
    }

    private static String quoted(final String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
