package io.millrace.agent.slurm;

import java.util.Map;
import java.util.TreeMap;

/**
 * The batch script: sets the job's variables, then becomes the user's script, run by the interpreter its first line names. The
 * user's text stands in a here-document, so Slurm takes none of its {@code #SBATCH} lines for an order: what is asked for is what
 * was submitted to Millrace.
 */
final class JobScript {

    private JobScript() {}

    /**
     * @param variables names must be identifiers of the shell, see {@link #isName}
     * @param nonce a word that the user's script does not hold
     */
    static String of(final String script, final Map<String, String> variables, final String nonce) {
        final StringBuilder text = new StringBuilder("#!/bin/bash\n");
        // One group: should the agent die while it writes, half a script is a syntax error and runs nothing.
        text.append("{\n");
        // Without this, srun inside the job would start its tasks without any environment (we submit with
        // --export=NONE).
        text.append("unset SLURM_EXPORT_ENV\n");
        text.append("export MILLRACE_RESTART=\"${SLURM_RESTART_COUNT:-0}\" MILLRACE_JOB_ID=\"$SLURM_JOB_ID\"\n");
        new TreeMap<>(variables)
                .forEach((name, value) -> text.append("export ")
                        .append(name)
                        .append('=')
                        .append(quoted(value))
                        .append('\n'));
        final String end = "MILLRACE_" + nonce;
        text.append("exec ")
                .append(interpreter(script))
                .append(" /dev/fd/3 3<<'")
                .append(end)
                .append("'\n");
        text.append(script)
                .append(script.endsWith("\n") ? "" : "\n")
                .append(end)
                .append("\n}\n");
        return text.toString();
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
