package io.millrace.script;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The batch script that is handed in: the prologue, then the user's script, run by the interpreter its first line names. The user's
 * text stands in a here-document and reaches its interpreter byte for byte; behind the first command no system takes its directives
 * for orders. LSF alone reads {@code #BSUB} anywhere, so where such lines stand, each line is set behind a bar that is taken off
 * again when the job runs.
 */
public final class JobWrapper {

    private JobWrapper() {}

    /** Whether the shell can export a variable of this name. */
    public static boolean isName(final String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]{0,254}");
    }

    /**
     * @param prologue of {@link JobPreamble}
     * @param nonce a word that nobody can guess, letters and digits only
     */
    public static String of(final String prologue, final String script, final String nonce) {
        return of(prologue, script, nonce, null);
    }

    /** @param shell runs a script that names no interpreter itself; null for {@code /bin/sh} */
    public static String of(
            final String prologue, final String script, final String nonce, final @Nullable String shell) {
        // One group: should the agent die while it writes, half a script is a syntax error and runs nothing.
        final StringBuilder text = new StringBuilder("#!/bin/bash\n{\n").append(prologue);
        final String end = end(script, nonce);
        text.append("exec ").append(interpreter(script, shell)).append(" /dev/fd/3 3<");
        final boolean barred = script.lines().anyMatch(line -> line.startsWith(Dialect.LSF.prefix()));
        final boolean open = !script.endsWith("\n");
        if (script.chars().anyMatch(JobWrapper::isOdd)) {
            // Bash itself uses some control characters as marks and loses them in here-documents.
            body(text, " <(base64 -d <<'" + end + "'", encoded(script), end).append(")\n");
        } else if (barred) {
            final String cut = open ? " | head -c " + bytes(script) : "";
            body(text, " <(sed 's/^|//' <<'" + end + "'" + cut, script.replaceAll("(?md)^", "|"), end)
                    .append(")\n");
        } else if (open) {
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

    private static boolean isOdd(final int c) {
        return c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f;
    }

    private static String encoded(final String script) {
        return Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(script.getBytes(StandardCharsets.UTF_8));
    }

    private static int bytes(final String script) {
        return script.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String end(final String script, final String nonce) {
        String end = "MILLRACE_" + nonce;
        while (script.contains(end)) {
            end += "X";
        }
        return end;
    }

    /** As the kernel reads a first line: a path and at most one argument. */
    private static String interpreter(final String script, final @Nullable String shell) {
        final String otherwise = shell == null ? "/bin/sh" : ShellQuote.of(shell);
        if (!script.startsWith("#!")) {
            return otherwise;
        }
        final String[] words =
                script.lines().findFirst().orElse("#!").substring(2).strip().split("\\s+", 2);
        if (words[0].isEmpty()) {
            return otherwise;
        }
        return ShellQuote.of(words[0]) + (words.length > 1 ? " " + ShellQuote.of(words[1]) : "");
    }
}
