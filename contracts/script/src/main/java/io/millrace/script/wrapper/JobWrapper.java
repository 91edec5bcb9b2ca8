package io.millrace.script.wrapper;

import io.millrace.model.job.ScriptText;
import io.millrace.script.Dialect;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The submitted batch script: the preamble, then the script of the user, run by the interpreter in its first line. The script of the user
 * is a here-document and reaches its interpreter byte for byte. No workload manager reads directives after the first command, except LSF,
 * which reads {@code #BSUB} anywhere. If the script contains such lines, each line is prefixed with a bar, which is removed when the job
 * runs.
 */
public final class JobWrapper {

    private JobWrapper() {}

    /** A script without arguments. */
    public static String of(
            final String preamble, final String script, final String nonce, final @Nullable String shell) {
        return of(preamble, script, List.of(), nonce, shell);
    }

    /**
     * @param arguments of the script, which reach it unchanged
     * @param shell interpreter of a script without a {@code #!} line; null for {@code /bin/sh}
     */
    public static String of(
            final String preamble,
            final String script,
            final List<String> arguments,
            final String nonce,
            final @Nullable String shell) {
        // One group: if the agent dies while writing, half a script is a syntax error and runs nothing.
        final StringBuilder text = new StringBuilder("#!/bin/bash\n{\n").append(preamble);
        final String end = end(script, nonce);
        text.append("exec ").append(interpreter(script, shell)).append(" /dev/fd/3");
        arguments.forEach(argument -> text.append(' ').append(ShellQuote.of(argument)));
        text.append(" 3<");
        final boolean prefixed = script.lines().anyMatch(line -> line.startsWith(Dialect.LSF.prefix()));
        final boolean noFinalNewline = !script.endsWith("\n");
        if (script.chars().anyMatch(JobWrapper::isControlCharacter) || !ScriptText.isUtf8(script)) {
            // Bash uses some control characters internally and loses them in here-documents.
            body(text, " <(base64 -d <<'" + end + "'", encoded(script), end).append(")\n");
        } else if (prefixed) {
            final String cut = noFinalNewline ? " | head -c " + bytes(script) : "";
            body(text, " <(sed 's/^|//' <<'" + end + "'" + cut, script.replaceAll("(?md)^", "|"), end)
                    .append(")\n");
        } else if (noFinalNewline) {
            // A here-document ends with a line break; this script does not.
            body(text, " <(head -c " + bytes(script) + " <<'" + end + "'", script, end)
                    .append(")\n");
        } else {
            body(text, "<'" + end + "'", script, end);
        }
        return text.append("}\n").toString();
    }

    private static StringBuilder body(
            final StringBuilder text, final String opening, final String body, final String end) {
        return text.append(opening)
                .append('\n')
                .append(body)
                .append(body.endsWith("\n") ? "" : "\n")
                .append(end)
                .append('\n');
    }

    private static boolean isControlCharacter(final int c) {
        return c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f;
    }

    private static String encoded(final String script) {
        return Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(ScriptText.bytes(script));
    }

    private static int bytes(final String script) {
        return ScriptText.bytes(script).length;
    }

    private static String end(final String script, final String nonce) {
        String end = "MILLRACE_" + nonce;
        while (script.contains(end)) {
            end += "X";
        }
        return end;
    }

    /** The interpreter as the kernel reads a first line: a path and at most one argument. */
    private static String interpreter(final String script, final @Nullable String shell) {
        final String defaultInterpreter = shell == null ? "/bin/sh" : ShellQuote.of(shell);
        if (!script.startsWith("#!")) {
            return defaultInterpreter;
        }
        final String[] words =
                script.lines().findFirst().orElse("#!").substring(2).strip().split("\\s+", 2);
        if (words[0].isEmpty()) {
            return defaultInterpreter;
        }
        return ShellQuote.of(words[0]) + (words.length > 1 ? " " + ShellQuote.of(words[1]) : "");
    }
}
