package io.millrace.cli;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.script.directive.CommandLineOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command line of {@code mgsub}, divided into its own words and the options of {@code sbatch}, which the service reads.
 *
 * @param own options of {@code mgsub}, then the script or the command
 * @param sbatch words of options that only {@code sbatch} has
 */
record SbatchOptions(List<String> own, List<String> sbatch) {

    /** @throws CommandException if neither of them has an option */
    static SbatchOptions of(final CommandSpec mgsub, final List<String> words) throws CommandException {
        final List<String> own = new ArrayList<>();
        final List<String> sbatch = new ArrayList<>();
        int at = 0;
        while (at < words.size() && isOption(words.get(at))) {
            final OptionSpec option = find(mgsub, words.get(at));
            final int length = option == null ? length(mgsub, words.get(at)) : length(option, words.get(at));
            final int end = Math.min(words.size(), at + length);
            if (option == null && end < at + length) {
                throw new CommandException(ExitCode.USAGE, "option " + words.get(at) + " needs a value");
            }
            (option == null ? sbatch : own).addAll(words.subList(at, end));
            at = end;
        }
        own.addAll(words.subList(at, words.size()));
        return new SbatchOptions(own, sbatch);
    }

    private static boolean isOption(final String word) {
        return word.length() > 1 && word.startsWith("-") && !word.equals("--");
    }

    private static @Nullable OptionSpec find(final CommandSpec mgsub, final String word) {
        return mgsub.optionsMap().get(word.startsWith("--") ? word.split("=", 2)[0] : word.substring(0, 2));
    }

    private static int length(final OptionSpec own, final String word) {
        final boolean attached = word.startsWith("--") ? word.contains("=") : word.length() > 2;
        return own.arity().max() > 0 && !attached ? 2 : 1;
    }

    private static int length(final CommandSpec mgsub, final String word) throws CommandException {
        try {
            return CommandLineOptions.length(word, mgsub.optionsMap().keySet());
        } catch (final IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }
}
