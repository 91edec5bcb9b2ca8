package io.millrace.agent.exec;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** The result of a command: exit code (128 + n if signal n ended it), standard output, standard error. */
public record CommandResult(int exit, byte[] output, byte[] error) {

    public static CommandResult of(final int exit, final String output, final String error) {
        return new CommandResult(exit, output.getBytes(StandardCharsets.UTF_8), error.getBytes(StandardCharsets.UTF_8));
    }

    public boolean succeeded() {
        return exit == 0;
    }

    public String outputText() {
        return new String(output, StandardCharsets.UTF_8);
    }

    /** The lines of a text that are not blank, without surrounding blanks. */
    public static String onOneLine(final String text, final String separator) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining(separator));
    }

    /** The last 500 characters of standard error on one line, for error messages. */
    public String errorText() {
        final String line = onOneLine(new String(error, StandardCharsets.UTF_8), "; ");
        return line.length() <= 500 ? line : "…" + line.substring(line.length() - 500);
    }
}
