package io.millrace.submit.domain.job;

import java.util.List;
import java.util.stream.Collectors;

/** Writes a command line as a script that runs exactly these words: nothing in them is interpreted by the shell. */
public final class CommandScript {

    private CommandScript() {}

    /** @param argv not empty; no word holds a zero byte */
    public static String of(final List<String> argv) {
        return argv.stream().map(CommandScript::quoted).collect(Collectors.joining(" ", "#!/bin/sh\nexec ", "\n"));
    }

    /** In single quotes the shell interprets nothing but the closing quote. */
    private static String quoted(final String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
