package io.millrace.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads amounts of memory as Slurm writes them: a number of MiB, or with one of K, M, G, T. */
final class MemorySize {

    private static final Pattern FORM = Pattern.compile("(\\d{1,12})([KMGTkmgt]?)(?:i?[Bb])?");

    private MemorySize() {}

    /** In MiB, rounded up. */
    static long mib(final String text) throws CommandException {
        final Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new CommandException(ExitCode.USAGE, "--memory: '" + text + "' is no amount of memory: write MiB, or 4G");
        }
        final long number = Long.parseLong(form.group(1));
        return switch (form.group(2).toUpperCase(Locale.ROOT)) {
            case "K" -> (number + 1023) / 1024;
            case "G" -> number * 1024;
            case "T" -> number * 1024 * 1024;
            default -> number;
        };
    }
}
