package io.millrace.submit.domain.submission;

import java.util.List;
import java.util.stream.Collectors;

/** Generates a script that runs a command line without shell expansion. */
public final class CommandScript {

    private CommandScript() {}

    /** @param argv not empty; no argument contains a zero byte */
    public static String of(final List<String> argv) {
        return argv.stream().map(CommandScript::quoted).collect(Collectors.joining(" ", "#!/bin/sh\nexec ", "\n"));
    }

    /**
     * Inside single quotes the shell interprets only the closing quote. A carriage return is written as an escape, because a script with
     * Windows line breaks is refused.
     */
    private static String quoted(final String word) {
        return "'" + word.replace("'", "'\\''").replace("\r", "'\"$(printf '\\r')\"'") + "'";
    }
}
