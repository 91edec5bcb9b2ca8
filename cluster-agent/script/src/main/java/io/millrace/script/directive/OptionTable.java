package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The options of a workload manager: their arguments and their meanings. */
final class OptionTable {

    /** The syntax of options. */
    enum Style {
        /** {@code --name=value}, {@code --name value}, unique prefixes, {@code -n4}. */
        LONG_AND_SHORT,
        /** Single letters: {@code -l value}, {@code -lvalue}. */
        SHORT,
        /** Words after one dash: {@code -oo file}; a value can be attached where this is unambiguous. */
        WORDS
    }

    enum Argument {
        NONE,
        REQUIRED,
        /** Only after an equals sign. */
        OPTIONAL
    }

    /** Parses a value into settings: a value can contain several. */
    @FunctionalInterface
    interface ValuesParser {
        List<ParsedValue> of(String value) throws DirectiveSyntaxException;
    }

    record ParsedValue(@Nullable String text, JobSetting setting) {}

    record Entry(String name, Argument takes, ValuesParser parser) {}

    /** No name of an option is longer. */
    static final int LONGEST_NAME = 40;

    private final Style style;
    private final TreeMap<String, Entry> entries = new TreeMap<>();

    OptionTable(final Style style) {
        this.style = style;
    }

    Style style() {
        return style;
    }

    interface ValueParser {
        JobSetting of(String value) throws DirectiveSyntaxException;
    }

    /** @param names the first is the canonical name */
    OptionTable value(final ValueParser parser, final String... names) {
        return values(value -> List.of(new ParsedValue(null, parser.of(value))), names);
    }

    OptionTable values(final ValuesParser parser, final String... names) {
        return put(Argument.REQUIRED, parser, names);
    }

    OptionTable optionalValue(final ValueParser parser, final String... names) {
        return put(Argument.OPTIONAL, value -> List.of(new ParsedValue(null, parser.of(value))), names);
    }

    OptionTable flag(final JobSetting setting, final String... names) {
        return put(Argument.NONE, value -> List.of(new ParsedValue(null, setting)), names);
    }

    /** Options that would change what the job does, and that no workload manager gets from Millrace: the script is invalid with them. */
    OptionTable refused(final Argument takes, final String reason, final String... names) {
        return put(
                takes,
                value -> {
                    throw new DirectiveSyntaxException(reason);
                },
                names);
    }

    private OptionTable put(final Argument takes, final ValuesParser parser, final String... names) {
        for (final String name : names) {
            entries.put(name, new Entry(names[0], takes, parser));
        }
        return this;
    }

    @Nullable
    Entry byName(final String name) {
        return entries.get(name);
    }

    /** Finds an option by name or by a unique prefix of a long option. */
    @Nullable
    Entry byPrefix(final String prefix) throws DirectiveSyntaxException {
        final Entry exact = entries.get(prefix);
        if (exact != null) {
            return exact;
        }
        Entry only = null;
        for (final Map.Entry<String, Entry> next : entries.tailMap(prefix, true).entrySet()) {
            if (!next.getKey().startsWith(prefix)) {
                break;
            }
            final Entry entry = next.getValue();
            if (only != null && !only.name().equals(entry.name())) {
                throw new DirectiveSyntaxException("option '" + prefix + "' is ambiguous: " + only.name() + " or "
                        + entry.name() + "; write it in full");
            }
            only = entry;
        }
        return only;
    }

    /** The sentence about an option that does not exist, with the known one that is spelt nearly the same. */
    String unknown(final String name) {
        return entries.keySet().stream()
                .filter(known -> known.length() > 2 && distance(known, name) <= 2)
                .min(Comparator.<String>comparingInt(known -> distance(known, name))
                        .thenComparingInt(known -> Math.abs(known.length() - name.length())))
                .map(known -> "unknown option; did you mean '" + known + "'?")
                .orElse("unknown option; remove it, or check its spelling");
    }

    /** How many letters must be inserted, removed or replaced (Levenshtein). */
    private static int distance(final String a, final String b) {
        int[] above = IntStream.rangeClosed(0, b.length()).toArray();
        for (int i = 1; i <= a.length(); i++) {
            final int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                final int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }

    /** The longest option with a value that is a prefix of this word. */
    @Nullable
    Entry attached(final String word) {
        for (int end = Math.min(word.length() - 1, LONGEST_NAME); end > 1; end--) {
            final Entry entry = entries.get(word.substring(0, end));
            if (entry != null && entry.takes() == Argument.REQUIRED) {
                return entry;
            }
        }
        return null;
    }
}
