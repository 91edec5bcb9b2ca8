package io.millrace.script.directive;

import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.OptionEffect;
import io.millrace.script.ScriptOption;
import io.millrace.script.directive.OptionTable.Argument;
import io.millrace.script.directive.OptionTable.Entry;
import io.millrace.script.directive.OptionTable.ParsedValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the words of a directive line. */
final class DirectiveParser {

    /** Separators between the components of a heterogeneous sbatch job. */
    private static final Set<String> HETEROGENEOUS = Set.of(":", "hetjob", "packjob");

    private final int line;
    private final Dialect dialect;
    private final List<ShellWord> words;
    private final ReadOptions options;
    private final List<InvalidDirective> problems;
    private int at;

    DirectiveParser(
            final int line,
            final Dialect dialect,
            final List<ShellWord> words,
            final ReadOptions options,
            final List<InvalidDirective> problems) {
        this.line = line;
        this.dialect = dialect;
        this.words = words;
        this.options = options;
        this.problems = problems;
    }

    void read(final OptionTable table) {
        while (at < words.size()) {
            final ShellWord word = words.get(at++);
            if (!word.value().startsWith("-") || word.value().length() < 2) {
                problem(word.raw(), misplaced(word.value()));
                return;
            }
            try {
                switch (table.style()) {
                    case LONG_AND_SHORT, SHORT -> {
                        if (word.value().startsWith("--")) {
                            longOption(table, word);
                        } else {
                            letters(table, word);
                        }
                    }
                    case WORDS -> wordOption(table, word);
                }
            } catch (final DirectiveSyntaxException e) {
                problem(word.raw(), e.reason());
                return;
            }
        }
    }

    private String misplaced(final String word) {
        return dialect == Dialect.SLURM && HETEROGENEOUS.contains(word)
                ? "heterogeneous jobs are not supported; submit each component as a separate job"
                : "is not an option; quote values that contain blanks";
    }

    private void longOption(final OptionTable table, final ShellWord word) throws DirectiveSyntaxException {
        final int equals = word.value().indexOf('=');
        final String name = equals < 0 ? word.value() : word.value().substring(0, equals);
        final Entry entry = table.byPrefix(name);
        if (entry == null) {
            unknown(table, word, name);
            return;
        }
        final String value = equals < 0 ? null : word.value().substring(equals + 1);
        if (value != null && entry.takes() == Argument.NONE) {
            throw new DirectiveSyntaxException(entry.name() + " takes no value");
        }
        if (value == null && entry.takes() == Argument.REQUIRED) {
            next(entry, word.raw());
        } else {
            addSettings(entry, word.raw(), value == null ? "" : value);
        }
    }

    /** {@code -Hn4}: letters without a value, then one that takes the rest of the word as its value. */
    private void letters(final OptionTable table, final ShellWord word) throws DirectiveSyntaxException {
        for (int i = 1; i < word.value().length(); i++) {
            final Entry entry = table.byName("-" + word.value().charAt(i));
            if (entry == null) {
                unknown(table, word, word.value());
                return;
            }
            if (entry.takes() != Argument.REQUIRED) {
                addSettings(entry, "-" + word.value().charAt(i), "");
                continue;
            }
            final String rest = word.value().substring(i + 1);
            if (rest.isEmpty()) {
                next(entry, "-" + word.value().charAt(i));
            } else {
                addSettings(entry, word.raw(), rest);
            }
            return;
        }
    }

    private void wordOption(final OptionTable table, final ShellWord word) throws DirectiveSyntaxException {
        final Entry exact = table.byName(word.value());
        if (exact != null) {
            if (exact.takes() == Argument.REQUIRED) {
                next(exact, word.raw());
            } else {
                addSettings(exact, word.raw(), "");
            }
            return;
        }
        final Entry attached = table.attached(word.value());
        if (attached == null) {
            unknown(table, word, word.value());
        } else {
            final int name = longestName(table, word.value());
            addSettings(attached, word.raw(), word.value().substring(name));
        }
    }

    private static int longestName(final OptionTable table, final String word) {
        int end = Math.min(word.length() - 1, OptionTable.LONGEST_NAME);
        while (end > 1) {
            final Entry entry = table.byName(word.substring(0, end));
            if (entry != null && entry.takes() == Argument.REQUIRED) {
                return end;
            }
            end--;
        }
        return word.length();
    }

    private void next(final Entry entry, final String raw) throws DirectiveSyntaxException {
        if (at >= words.size()) {
            throw new DirectiveSyntaxException(entry.name() + " needs a value");
        }
        final ShellWord value = words.get(at++);
        addSettings(entry, raw + " " + value.raw(), value.value());
    }

    private void addSettings(final Entry entry, final String raw, final String value) {
        try {
            final Map<String, List<ScriptOption>> byName = new LinkedHashMap<>();
            for (final ParsedValue parsed : entry.parser().of(value)) {
                final ScriptOption option = option(entry, raw, parsed);
                if (option.effect().isEssential() && option.setting() instanceof JobSetting.Unsupported lost) {
                    throw new DirectiveSyntaxException(lost.reason());
                }
                byName.computeIfAbsent(
                                Objects.requireNonNullElse(parsed.part(), entry).name(), name -> new ArrayList<>())
                        .add(option);
            }
            for (final Map.Entry<String, List<ScriptOption>> each : byName.entrySet()) {
                options.add(each.getKey(), each.getValue());
            }
        } catch (final DirectiveSyntaxException e) {
            problem(raw, e.reason());
        }
    }

    private ScriptOption option(final Entry entry, final String raw, final ParsedValue parsed) {
        final Entry part = Objects.requireNonNullElse(parsed.part(), entry);
        final OptionEffect effect = Objects.requireNonNullElse(parsed.effect(), part.effect());
        return new ScriptOption(line, dialect, textOf(raw, parsed.text()), parsed.setting(), effect, part.knownTo());
    }

    private static String textOf(final String raw, final @Nullable String text) {
        return text == null ? raw : text;
    }

    /** The rest of the line is not read, because the words after an unknown option may be its value. */
    private void unknown(final OptionTable table, final ShellWord word, final String name) {
        problem(word.raw(), table.unknown(name));
        at = words.size();
    }

    private void problem(final String text, final String reason) {
        problems.add(InvalidDirective.of(line, dialect, text, reason));
    }
}
