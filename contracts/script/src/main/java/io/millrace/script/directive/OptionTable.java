package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.OptionEffect;
import io.millrace.script.WlmType;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options of a dialect, see {@link OptionFile}. An option that is not there is refused. */
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

    enum Treatment {
        /** Becomes part of the request, and is translated. */
        READ,
        /** Millrace does the same on every cluster. */
        COVERED,
        /** Only workload managers that have the option get it. */
        PASSED,
        /** Left out, with a note. */
        NOTED,
        /** The script is invalid with it. */
        REFUSED
    }

    /** Parses a value into settings: a value can contain several. */
    @FunctionalInterface
    interface ValuesParser {
        List<ParsedValue> of(String value) throws DirectiveSyntaxException;
    }

    @FunctionalInterface
    interface ValueParser {
        JobSetting of(String value) throws DirectiveSyntaxException;
    }

    /**
     * @param text the part of the option that the setting came from; null for the whole option
     * @param effect null for that of the option
     * @param part the line of the table about this part of the option, as for a resource of {@code -l}; null for that of the option
     */
    record ParsedValue(
            @Nullable String text,
            JobSetting setting,
            @Nullable OptionEffect effect,
            @Nullable Entry part) {

        ParsedValue(final @Nullable String text, final JobSetting setting) {
            this(text, setting, null, null);
        }

        ParsedValue(final @Nullable String text, final JobSetting setting, final OptionEffect effect) {
            this(text, setting, effect, null);
        }

        ParsedValue partOf(final Entry entry, final String whole) {
            return new ParsedValue(text == null ? whole : text, setting, effect, part == null ? entry : part);
        }

        static List<ParsedValue> of(final JobSetting setting) {
            return List.of(new ParsedValue(null, setting));
        }
    }

    /** @param name the canonical one */
    record Entry(
            String name,
            Argument takes,
            OptionEffect effect,
            Treatment treatment,
            Set<WlmType> knownTo,
            ValuesParser parser) {}

    /** No name of an option is longer. */
    static final int LONGEST_NAME = 40;

    private static final int NEAREST_NAMES = 3;

    private final Style style;
    private final TreeMap<String, Entry> entries;

    /** @param entries by all their names */
    OptionTable(final Style style, final Map<String, Entry> entries) {
        this.style = style;
        this.entries = new TreeMap<>(entries);
    }

    Style style() {
        return style;
    }

    /** All options, each once. */
    Collection<Entry> entries() {
        return Set.copyOf(entries.values());
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

    /** The sentence about an option that does not exist, with the known ones that are spelt nearly the same. */
    String unknown(final String name) {
        return unknown(name, List.of());
    }

    /** @param others options that are not in this table, but could be meant */
    String unknown(final String name, final Collection<String> others) {
        final List<String> nearest = Stream.concat(entries.keySet().stream(), others.stream())
                .filter(known -> known.length() > 2 && distance(known, name) <= 2)
                .sorted(Comparator.<String>comparingInt(known -> distance(known, name))
                        .thenComparingInt(known -> Math.abs(known.length() - name.length())))
                .limit(NEAREST_NAMES)
                .map(known -> "'" + known + "'")
                .toList();
        return nearest.isEmpty()
                ? "unknown option; remove it, or check its spelling"
                : "unknown option; did you mean " + String.join(" or ", nearest) + "?";
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
