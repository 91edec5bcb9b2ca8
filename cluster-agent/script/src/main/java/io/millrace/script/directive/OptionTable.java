package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
