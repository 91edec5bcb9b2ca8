package io.millrace.script.directive;

import io.millrace.script.directive.OptionTable.Argument;
import io.millrace.script.directive.OptionTable.Entry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The options of {@code sbatch} on the command line of a submission. They mean what they mean in a {@code #SBATCH} line, and outrank the
 * directives of the script, whatever its dialect. They travel as a variable of the job.
 */
public final class CommandLineOptions {

    /** The words of the options, each in single quotes. */
    public static final String VARIABLE = "MILLRACE_OPTIONS";

    private CommandLineOptions() {}

    /** The value of the variable. */
    public static String variable(final List<String> words) {
        return words.stream().map(CommandLineOptions::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(final String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** The words in the variables of a job; empty without options. */
    static List<ShellWord> of(final Map<String, String> environment) {
        try {
            return ShellWord.split(environment.getOrDefault(VARIABLE, "")).stream()
                    .map(word -> word(word.value()))
                    .toList();
        } catch (final DirectiveSyntaxException e) {
            return List.of(word(environment.getOrDefault(VARIABLE, ""))); // which is no option and becomes a problem
        }
    }

    /** A word of the command line, as it is shown in messages. */
    static ShellWord word(final String value) {
        return new ShellWord(value, value.matches("[\\w.,:;=@%+/*?&|()\\[\\]-]+") ? value : quoted(value));
    }

    /**
     * How many words an option takes: 1, or 2 if the next word is its value.
     *
     * @param word begins with a dash
     * @param others options that are no option of sbatch, for the message about a misspelt one
     * @throws IllegalArgumentException if sbatch has no such option, or an ambiguous prefix of one, with the reason
     */
    public static int length(final String word, final Collection<String> others) {
        try {
            return word.startsWith("--") ? ofLong(word, others) : ofLetters(word, others);
        } catch (final DirectiveSyntaxException e) {
            throw new IllegalArgumentException(e.reason(), e);
        }
    }

    private static int ofLong(final String word, final Collection<String> others) throws DirectiveSyntaxException {
        final String name = word.split("=", 2)[0];
        final Entry entry = SlurmOptions.TABLE.byPrefix(name);
        if (entry == null) {
            throw new DirectiveSyntaxException("option " + name + ": " + SlurmOptions.TABLE.unknown(name, others));
        }
        return entry.takes() == Argument.REQUIRED && !word.contains("=") ? 2 : 1;
    }

    private static int ofLetters(final String word, final Collection<String> others) throws DirectiveSyntaxException {
        for (int i = 1; i < word.length(); i++) {
            final Entry entry = SlurmOptions.TABLE.byName("-" + word.charAt(i));
            if (entry == null) {
                throw new DirectiveSyntaxException("option " + word + ": " + SlurmOptions.TABLE.unknown(word, others));
            }
            if (entry.takes() == Argument.REQUIRED) {
                return i + 1 < word.length() ? 1 : 2;
            }
        }
        return 1;
    }
}
