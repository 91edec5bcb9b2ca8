package io.millrace.script;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The options of one system: whether they take a value, and what they mean. */
final class OptionTable {

    /** How options are written. */
    enum Style {
        /** {@code --name=value}, {@code --name value}, unique beginnings, {@code -n4}. */
        LONG_AND_SHORT,
        /** Single letters: {@code -l value}, {@code -lvalue}. */
        SHORT,
        /** Words behind one dash: {@code -oo file}; the value may be attached where that is plain. */
        WORDS
    }

    enum Argument {
        NONE,
        REQUIRED,
        /** Only behind an equals sign. */
        OPTIONAL
    }

    /** Several wishes, since one value may say several things; each with the text it stands for, null for the whole. */
    @FunctionalInterface
    interface ValuesParser {
        List<ParsedValue> of(String value) throws DirectiveSyntaxException;
    }

    record ParsedValue(@Nullable String text, JobSetting setting) {}

    record Entry(String name, Argument takes, ValuesParser meaning) {}

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

    /** @param names the first is the proper one */
    OptionTable value(final ValueParser meaning, final String... names) {
        return values(value -> List.of(new ParsedValue(null, meaning.of(value))), names);
    }

    OptionTable values(final ValuesParser meaning, final String... names) {
        return put(Argument.REQUIRED, meaning, names);
    }

    OptionTable optionalValue(final ValueParser meaning, final String... names) {
        return put(Argument.OPTIONAL, value -> List.of(new ParsedValue(null, meaning.of(value))), names);
    }

    OptionTable flag(final JobSetting wish, final String... names) {
        return put(Argument.NONE, value -> List.of(new ParsedValue(null, wish)), names);
    }

    private OptionTable put(final Argument takes, final ValuesParser meaning, final String... names) {
        for (final String name : names) {
            entries.put(name, new Entry(names[0], takes, meaning));
        }
        return this;
    }

    @Nullable
    Entry byName(final String name) {
        return entries.get(name);
    }

    /** By its name, or by a beginning that only one long option has. */
    @Nullable
    Entry byPrefix(final String beginning) throws DirectiveSyntaxException {
        final Entry exact = entries.get(beginning);
        if (exact != null) {
            return exact;
        }
        Entry only = null;
        for (final Map.Entry<String, Entry> next :
                entries.tailMap(beginning, true).entrySet()) {
            if (!next.getKey().startsWith(beginning)) {
                break;
            }
            final Entry entry = next.getValue();
            if (only != null && !only.name().equals(entry.name())) {
                throw new DirectiveSyntaxException(
                        "'" + beginning + "' may be " + only.name() + " or " + entry.name() + "; write it in full");
            }
            only = entry;
        }
        return only;
    }

    /** The longest option that this word begins with and that takes a value. */
    @Nullable
    Entry attached(final String word) {
        for (int end = word.length() - 1; end > 1; end--) {
            final Entry entry = entries.get(word.substring(0, end));
            if (entry != null && entry.takes() == Argument.REQUIRED) {
                return entry;
            }
        }
        return null;
    }
}
