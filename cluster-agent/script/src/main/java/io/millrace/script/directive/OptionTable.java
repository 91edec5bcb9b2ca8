package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.OptionEffect;
import io.millrace.script.WlmType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The options of a dialect. The only place that decides what becomes of an option is its line in {@code slurm.txt}, {@code pbs.txt} or
 * {@code lsf.txt}; parsers exist for those that Millrace reads. An option that is not there is refused.
 */
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
    private final TreeMap<String, Entry> entries = new TreeMap<>();

    private OptionTable(final Style style) {
        this.style = style;
    }

    /** The parsers of the options that Millrace reads, by their canonical names. */
    static final class Parsers {
        private final Map<String, ValuesParser> all = new HashMap<>();

        Parsers value(final String name, final ValueParser parser) {
            return values(name, value -> ParsedValue.of(parser.of(value)));
        }

        Parsers values(final String name, final ValuesParser parser) {
            all.put(name, parser);
            return this;
        }

        Parsers flag(final String name, final JobSetting setting) {
            return values(name, value -> ParsedValue.of(setting));
        }
    }

    /**
     * @param file lines of names with their arguments, effect, treatment and reason, in sections of workload managers
     * @param parsers exactly those of the options that are read
     */
    static OptionTable of(final Style style, final String file, final Parsers parsers) {
        final OptionTable table = new OptionTable(style);
        final Set<String> unused = new HashSet<>(parsers.all.keySet());
        Set<WlmType> section = Set.of();
        for (final String line : lines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("[")) {
                section = section(line.substring(1, line.length() - 1));
                continue;
            }
            final Entry entry = table.add(line, section, parsers.all);
            unused.remove(entry.name());
        }
        if (!unused.isEmpty()) {
            throw new IllegalStateException(file + " lacks " + unused);
        }
        return table;
    }

    private static List<String> lines(final String file) {
        try (InputStream in = Objects.requireNonNull(OptionTable.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<WlmType> section(final String names) {
        return Arrays.stream(WlmType.values())
                .filter(wlm -> List.of(names.split(", ")).contains(wlm.displayName()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private Entry add(final String line, final Set<WlmType> section, final Map<String, ValuesParser> parsers) {
        final String[] columns = line.split(" {2,}", 4);
        final String[] names = columns[0].split(", ");
        final String name = names[0].replaceAll("\\[?=]?$", "");
        final Argument takes = names[0].endsWith("[=]")
                ? Argument.OPTIONAL
                : names[0].endsWith("=") ? Argument.REQUIRED : Argument.NONE;
        final OptionEffect effect = OptionEffect.valueOf(columns[1].toUpperCase(Locale.ROOT));
        final Treatment treatment = Treatment.valueOf(columns[2].toUpperCase(Locale.ROOT));
        if (treatment == Treatment.NOTED && effect.isEssential()) {
            throw new IllegalStateException(name + " changes the job, so it cannot be left out");
        }
        final ValuesParser parser = treatment == Treatment.READ
                ? Objects.requireNonNull(parsers.get(name), name + " has no parser")
                : parser(name, treatment, columns.length > 3 ? columns[3] : "");
        final Entry entry = new Entry(name, takes, effect, treatment, section, parser);
        for (final String each : names) {
            entries.put(each.replaceAll("\\[?=]?$", ""), entry);
        }
        return entry;
    }

    private ValuesParser parser(final String name, final Treatment treatment, final String reason) {
        return switch (treatment) {
            case PASSED -> value -> ParsedValue.of(new JobSetting.SystemSpecific(words(name, value)));
            case COVERED -> value -> ParsedValue.of(new JobSetting.Ignored(reason));
            case NOTED -> value -> ParsedValue.of(new JobSetting.Unsupported(reason));
            case READ, REFUSED ->
                value -> {
                    throw new DirectiveSyntaxException(reason);
                };
        };
    }

    /** The option as words of a command line. A name such as {@code -l cput} is a part of an option. */
    private List<String> words(final String name, final String value) {
        final int blank = name.indexOf(' ');
        if (blank > 0) {
            return List.of(name.substring(0, blank), name.substring(blank + 1) + "=" + value);
        }
        if (style == Style.LONG_AND_SHORT) {
            return List.of(value.isEmpty() ? name : name + "=" + value);
        }
        return value.isEmpty() ? List.of(name) : List.of(name, value);
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
        final List<String> nearest = entries.keySet().stream()
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
