package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Submission;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * What bsub reads from its standard input. It takes every line that begins with {@code #BSUB} for an order, wherever it stands, keeps the
 * whole text as the job's command and shows it in every list: so the user's script travels packed, unchanged, with the tag in front.
 */
final class JobScript {

    private static final int COLUMNS = 76;

    private JobScript() {}

    /** @param nonce a word that the user's script does not hold */
    static String of(final Submission submission, final String cluster, final String nonce) {
        final String end = "MILLRACE_" + nonce;
        final StringBuilder text = new StringBuilder("#!/bin/bash\n# millrace ")
                .append(submission.attempt())
                .append("\n{\n"); // one group: half of it is a syntax error and runs nothing
        text.append("exec /bin/bash -l <(base64 -d <<'")
                .append(end)
                .append("' | gzip -dc\n")
                .append(packed(inner(submission, cluster, nonce)))
                .append(end)
                .append("\n)\n}\n");
        return text.toString();
    }

    /** Runs in a login shell of the owner; becomes the user's script, run by the interpreter its first line names. */
    static String inner(final Submission submission, final String cluster, final String nonce) {
        final StringBuilder text = new StringBuilder();
        text.append("cd -- ").append(quoted(submission.directory())).append(" || exit 125\n");
        text.append("MILLRACE_JOB_ID=$LSB_JOBID\n");
        text.append("[ \"${LSB_JOBINDEX:-0}\" = 0 ] || MILLRACE_JOB_ID=\"$LSB_JOBID[$LSB_JOBINDEX]\"\n");
        // LSF does not count how often a job was put back.
        text.append("printf . >>\".millrace-$MILLRACE_JOB_ID.runs\"\n");
        text.append("MILLRACE_RESTART=$(($(wc -c <\".millrace-$MILLRACE_JOB_ID.runs\") - 1))\n");
        text.append("export MILLRACE_JOB_ID MILLRACE_RESTART\n");
        final TreeMap<String, String> variables =
                new TreeMap<>(submission.spec().environment());
        variables.put("MILLRACE_CLUSTER", cluster);
        variables.put("MILLRACE_ATTEMPT", submission.attempt().toString());
        variables.put(
                "MILLRACE_CORES", Integer.toString(submission.spec().resources().cores()));
        variables.forEach((name, value) -> text.append("export ")
                .append(name)
                .append('=')
                .append(quoted(value))
                .append('\n'));
        final String script = submission.spec().script();
        final String end = "MILLRACE_" + nonce;
        text.append("exec ")
                .append(interpreter(script))
                .append(" /dev/fd/3 3<<'")
                .append(end)
                .append("' >>\"millrace-$MILLRACE_JOB_ID.out\" 2>&1 </dev/null\n");
        text.append(script)
                .append(script.endsWith("\n") ? "" : "\n")
                .append(end)
                .append('\n');
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

    static String quoted(final String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private static String packed(final String text) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getMimeEncoder(COLUMNS, new byte[] {'\n'}).encodeToString(bytes.toByteArray()) + "\n";
    }
}
