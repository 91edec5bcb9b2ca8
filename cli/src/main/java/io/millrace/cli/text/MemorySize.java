package io.millrace.cli.text;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses memory sizes as Slurm does: MiB, or a number with unit K, M, G or T. */
public final class MemorySize {

    private static final Pattern FORM = Pattern.compile("(\\d{1,12})([KMGTkmgt]?)(?:i?[Bb])?");

    private MemorySize() {}

    /**
     * Returns MiB, rounded up.
     *
     * @param option for the message if the text is not a valid size
     */
    public static long mib(final String option, final String text) throws CommandException {
        final Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new CommandException(
                    ExitCode.USAGE, option + ": '" + text + "' is not a valid memory size; use MiB or a unit, e.g. 4G");
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
