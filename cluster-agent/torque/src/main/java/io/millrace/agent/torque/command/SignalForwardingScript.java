package io.millrace.agent.torque.command;

/**
 * Wraps a job script in a bash script that forwards signals and preserves the exit status.
 *
 * <p>{@code qsig} signals every process of the session, including the login shell. Most signals end that shell, and the job with
 * it. The agent therefore writes the signal's name to a file and sends SIGURG, which is ignored by default. The wrapper handles
 * SIGURG and forwards the signal. The login shell would also report "ended by signal 11" as exit code 139. The wrapper makes the
 * shell end by the same signal, so that accounting is correct.
 */
final class SignalForwardingScript {

    private SignalForwardingScript() {}

    /** Name of the file in the job's directory that contains the signal to forward. */
    static String signalFile(final String id) {
        return ".millrace-" + id + ".signal";
    }

    /**
     * Builds the batch script. The job script is in a here-document that follows a line of code, so that {@code qsub} ignores its
     * {@code #PBS} lines.
     *
     * @param script a complete bash script
     * @param nonce a word that does not occur in the script
     */
    static String around(final String script, final String directory, final String nonce) {
        final String end = "MILLRACE_BESIDE_" + nonce;
        return """
                #!/bin/bash
                {
                cd -- %s || exit 1
                exec </dev/null
                unset MILLRACE_NAME MILLRACE_DIRECTORY MILLRACE_SPREAD
                _mg_notes=$PWD/.millrace-$PBS_JOBID
                _mg_forward() {
                    local name
                    read -r name <"$_mg_notes.signal" && kill -s "$name" -- "-$_mg_job"
                } 2>/dev/null
                trap _mg_forward URG
                trap : TERM
                set -m
                bash /dev/fd/4 4<<'%s' &
                """.formatted(quoted(directory), end) + script + (script.endsWith("\n") ? "" : "\n") + end + """

                _mg_job=$!
                # Under job control, bash leaves the loop when the job stops (SIGTSTP), and the job would end.
                set +m
                while :; do
                    # bash reports an end by a signal, but not an exit code above 128.
                    { wait "$_mg_job"; _mg_code=$?; } 2>"$_mg_notes.end"
                    kill -0 "$_mg_job" 2>/dev/null || break
                done
                { wait "$_mg_job"; _mg_code=$?; } 2>>"$_mg_notes.end"
                _mg_report=$(<"$_mg_notes.end")
                rm -f "$_mg_notes.end" "$_mg_notes.signal"
                if [[ -n $_mg_report && $_mg_code -gt 128 ]]; then
                    # proc(5): state, parent, group and session follow the name in parentheses
                    read -r _mg_stat </proc/$$/stat && read -r _ _ _ _mg_leader _ <<<"${_mg_stat##*) }"
                    trap - TERM URG
                    ulimit -c 0
                    kill -s $((_mg_code - 128)) ${_mg_leader:-$$}
                fi
                exit "$_mg_code"
                }
                """;
    }

    private static String quoted(final String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
