package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.OptionEffect;
import io.millrace.script.WlmType;
import io.millrace.script.directive.OptionTable.Argument;
import io.millrace.script.directive.OptionTable.Entry;
import io.millrace.script.directive.OptionTable.ParsedValue;
import io.millrace.script.directive.OptionTable.Style;
import io.millrace.script.directive.OptionTable.Treatment;
import io.millrace.script.directive.OptionTable.ValueParser;
import io.millrace.script.directive.OptionTable.ValuesParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads {@code slurm.txt}, {@code pbs.txt} and {@code lsf.txt}. The line of an option there is the only place that decides what becomes of
 * it; parsers exist for the options that Millrace reads.
 */
final class OptionFile {

    private final Style style;
    private final Map<String, ValuesParser> parsers;
    private final Map<String, Entry> entries = new HashMap<>();
    private Set<WlmType> section = Set.of();

    private OptionFile(final Style style, final Map<String, ValuesParser> parsers) {
        this.style = style;
        this.parsers = parsers;
    }

    /** The parsers of the options that are read, by their first names. */
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

    /** @param parsers exactly those of the options that are read */
    static OptionTable read(final Style style, final String file, final Parsers parsers) {
        final OptionFile options = new OptionFile(style, parsers.all);
        lines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(options::line);
        final Set<String> unused = new HashSet<>(parsers.all.keySet());
        unused.removeAll(options.entries.keySet());
        if (!unused.isEmpty()) {
            throw new IllegalStateException(file + " lacks " + unused);
        }
        return new OptionTable(style, options.entries);
    }

    private static List<String> lines(final String file) {
        try (InputStream in = Objects.requireNonNull(OptionFile.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code [PBS Pro, Torque]}, or names, effect, treatment and reason with at least two blanks between them. */
    private void line(final String line) {
        if (line.startsWith("[")) {
            final List<String> names =
                    List.of(line.substring(1, line.length() - 1).split(", "));
            section = Arrays.stream(WlmType.values())
                    .filter(wlm -> names.contains(wlm.displayName()))
                    .collect(Collectors.toUnmodifiableSet());
            return;
        }
        final String[] columns = line.split(" {2,}", 4);
        final String[] names = columns[0].split(", ");
        final Entry entry = entry(names[0], columns);
        for (final String name : names) {
            entries.put(withoutArgument(name), entry);
        }
    }

    private Entry entry(final String first, final String[] columns) {
        final String name = withoutArgument(first);
        final Argument takes =
                first.endsWith("[=]") ? Argument.OPTIONAL : first.endsWith("=") ? Argument.REQUIRED : Argument.NONE;
        final OptionEffect effect = OptionEffect.valueOf(columns[1].toUpperCase(Locale.ROOT));
        final Treatment treatment = Treatment.valueOf(columns[2].toUpperCase(Locale.ROOT));
        if (treatment == Treatment.NOTED && effect.isEssential()) {
            throw new IllegalStateException(name + " changes the job, so it cannot be left out");
        }
        return new Entry(name, takes, effect, treatment, section, parser(name, treatment, columns));
    }

    private static String withoutArgument(final String name) {
        return name.replaceAll("\\[?=]?$", "");
    }

    private ValuesParser parser(final String name, final Treatment treatment, final String[] columns) {
        final String reason = columns.length > 3 ? columns[3] : "";
        return switch (treatment) {
            case READ -> Objects.requireNonNull(parsers.get(name), name + " has no parser");
            case PASSED -> value -> ParsedValue.of(new JobSetting.SystemSpecific(words(name, value)));
            case COVERED -> value -> ParsedValue.of(new JobSetting.Ignored(reason));
            case NOTED -> value -> ParsedValue.of(new JobSetting.Unsupported(reason));
            case REFUSED ->
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
}
