package io.millrace.script.directive;

import io.millrace.model.Text;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.ScriptText;
import io.millrace.script.Dialect;
import io.millrace.script.ScriptOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Parses the directives of a job script. Like the workload managers, it ignores directives after the first command. */
public final class ScriptParser {

    private final ReadOptions options = new ReadOptions();
    private final List<InvalidDirective> problems = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final UnreadDirectives unread = new UnreadDirectives();
    private final Set<Dialect> dialects = new LinkedHashSet<>();
    /** The directive prefix of PBS, which a script can change with {@code -C}. */
    private String pbsPrefix = Dialect.PBS.prefix();

    private ScriptParser() {}

    /** Parses a script. It never fails: invalid directives are in the problems. */
    public static ParsedScript read(final String text) {
        return read(text, Map.of());
    }

    /** Parses the script of a job with the options of its submission, see {@link CommandLineOptions}. */
    public static ParsedScript of(final JobSpec spec) {
        return read(spec.script(), spec.environment());
    }

    /** @param variables of the job */
    public static ParsedScript read(final String text, final Map<String, String> variables) {
        return new ScriptParser().lines(text).with(CommandLineOptions.of(variables));
    }

    private ScriptParser lines(final String text) {
        ScriptEncoding.fault(text).ifPresent(problems::add);
        final String[] lines = text.split("\n", -1);
        int firstCommand = 0;
        for (int i = 0; i < lines.length; i++) {
            final String line = lines[i].endsWith("\r") ? lines[i].substring(0, lines[i].length() - 1) : lines[i];
            if (firstCommand == 0) {
                line(i + 1, line);
                if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                    firstCommand = i + 1;
                }
            } else if (startsDirective(line)) {
                remarks.add("line " + (i + 1) + ": '" + line.strip() + "' is after the first command (line "
                        + firstCommand + ") and is ignored; move it up");
            }
            unread.add(i + 1, startsDirective(line) ? "" : line);
        }
        options.contradiction().ifPresent(problems::add);
        remarks.addAll(options.remarks());
        unread.blocks().forEach(block -> remarks.add(block.toString()));
        return this;
    }

    private ParsedScript with(final List<ShellWord> words) {
        final ReadOptions commandLine = new ReadOptions();
        final Optional<ShellWord> unprintable = words.stream()
                .filter(word -> !Text.isPlain(word.value()) || !ScriptText.isUtf8(word.value()))
                .findFirst();
        if (unprintable.isPresent()) {
            problems.add(new InvalidDirective(
                    ScriptOption.COMMAND_LINE,
                    Text.escaped(unprintable.get().raw()),
                    "must have printable characters"));
        } else {
            new DirectiveParser(ScriptOption.COMMAND_LINE, Dialect.SLURM, words, commandLine, problems)
                    .read(SlurmOptions.TABLE);
        }
        commandLine.contradiction().ifPresent(problems::add);
        final Overrides overrides = new Overrides(options.all(), commandLine.all());
        remarks.addAll(overrides.remarks());
        remarks.addAll(commandLine.remarks());
        return new ParsedScript(
                dialects,
                Stream.concat(
                                overrides.remaining().stream(),
                                commandLine.all().stream().map(ReadOptions.Named::option))
                        .toList(),
                problems,
                remarks,
                unread.blocks());
    }

    private boolean startsDirective(final String line) {
        return isDirective(line, Dialect.SLURM.prefix())
                || isDirective(line, pbsPrefix)
                || isDirective(line, Dialect.LSF.prefix());
    }

    private static boolean isDirective(final String line, final String prefix) {
        return line.startsWith(prefix) && (line.length() == prefix.length() || isGap(line.charAt(prefix.length())));
    }

    private static boolean isGap(final char next) {
        return next == ' ' || next == '\t' || next == '-';
    }

    private void line(final int number, final String line) {
        if (isDirective(line, Dialect.SLURM.prefix())) {
            directive(
                    number, Dialect.SLURM, line.substring(Dialect.SLURM.prefix().length()));
        } else if (isDirective(line.stripLeading(), pbsPrefix)) {
            directive(number, Dialect.PBS, line.stripLeading().substring(pbsPrefix.length()));
        } else if (isDirective(line, Dialect.LSF.prefix())) {
            directive(number, Dialect.LSF, line.substring(Dialect.LSF.prefix().length()));
        }
    }

    private void directive(final int number, final Dialect dialect, final String rest) {
        final List<ShellWord> words;
        if (!ScriptText.isUtf8(rest)) {
            problems.add(new InvalidDirective(
                    number,
                    dialect.prefix() + rest,
                    "a directive must be UTF-8; convert the line, or write it in ASCII"));
            return;
        }
        try {
            words = ShellWord.split(rest);
        } catch (final DirectiveSyntaxException e) {
            problems.add(new InvalidDirective(number, dialect.prefix() + rest, e.reason()));
            return;
        }
        dialects.add(dialect);
        final DirectiveParser directive = new DirectiveParser(number, dialect, words, options, problems);
        switch (dialect) {
            case SLURM -> directive.read(SlurmOptions.TABLE);
            case PBS -> directive.read(PbsOptions.TABLE);
            case LSF -> directive.read(LsfOptions.TABLE);
        }
        for (int i = 0; dialect == Dialect.PBS && i + 1 < words.size(); i++) {
            if (words.get(i).value().equals("-C") && !words.get(i + 1).value().isBlank()) {
                pbsPrefix = words.get(i + 1).value();
            }
        }
    }
}
