package io.millrace.cli.slurm;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line for each row, in one of the formats of {@code squeue}, {@code sinfo} and {@code sprio}. */
final class SlurmFormat<T> {

    private static final Pattern LETTER = Pattern.compile("%(\\.?)(\\d*)([A-Za-z])([^%]*)");
    private static final Pattern NAME = Pattern.compile("([\\w-]+)(?::(\\.?)(\\d*)(.*))?");
    private static final int WIDTH_OF_NAMES = 20;

    /** @param width 0: as wide as the text */
    private record Cell<T>(SlurmColumn<T> column, boolean right, int width, String suffix) {

        String fitted(final String text) {
            if (width == 0) {
                return text + suffix;
            }
            final String cut = text.length() > width ? text.substring(0, width) : text;
            final String blanks = " ".repeat(width - cut.length());
            return (right ? blanks + cut : cut + blanks) + suffix;
        }
    }

    private final String prefix;
    private final List<Cell<T>> cells;

    private SlurmFormat(final String prefix, final List<Cell<T>> cells) {
        this.prefix = prefix;
        this.cells = cells;
    }

    /** {@code %.18i %9P}, as of {@code -o}. */
    static <T> SlurmFormat<T> letters(final String format, final List<SlurmColumn<T>> known) throws CommandException {
        final int first = format.indexOf('%');
        final String rest = first < 0 ? "" : format.substring(first);
        final List<Cell<T>> cells = new ArrayList<>();
        final Matcher part = LETTER.matcher(rest);
        int at = 0;
        while (part.lookingAt()) {
            cells.add(new Cell<>(
                    byLetter(part.group(3).charAt(0), known),
                    !part.group(1).isEmpty(),
                    width(part.group(2), 0),
                    part.group(4)));
            at = part.end();
            part.region(at, rest.length());
        }
        if (cells.isEmpty() || at < rest.length()) {
            throw invalid(format);
        }
        return new SlurmFormat<>(format.substring(0, first), cells);
    }

    private static <T> SlurmColumn<T> byLetter(final char letter, final List<SlurmColumn<T>> known)
            throws CommandException {
        for (final SlurmColumn<T> column : known) {
            if (column.letter() != null && column.letter() == letter) {
                return column;
            }
        }
        throw invalid("%" + letter);
    }

    /** {@code JobID:12,Name:.20}, as of {@code -O}. */
    static <T> SlurmFormat<T> names(final String format, final List<SlurmColumn<T>> known) throws CommandException {
        final List<Cell<T>> cells = new ArrayList<>();
        for (final String word : format.split(",")) {
            final Matcher part = NAME.matcher(word.strip());
            if (!part.matches()) {
                throw invalid(word);
            }
            final boolean sized = part.group(3) != null;
            cells.add(new Cell<>(
                    byName(part.group(1), known),
                    sized && !part.group(2).isEmpty(),
                    width(sized ? part.group(3) : "", sized ? 0 : WIDTH_OF_NAMES),
                    sized ? part.group(4) : ""));
        }
        return new SlurmFormat<>("", cells);
    }

    private static <T> SlurmColumn<T> byName(final String name, final List<SlurmColumn<T>> known)
            throws CommandException {
        for (final SlurmColumn<T> column : known) {
            if (column.name() != null && column.name().equalsIgnoreCase(name)) {
                return column;
            }
        }
        throw invalid(name);
    }

    private static int width(final String digits, final int otherwise) throws CommandException {
        if (digits.length() > 4) {
            throw invalid(digits);
        }
        return digits.isEmpty() ? otherwise : Integer.parseInt(digits);
    }

    private static CommandException invalid(final String format) {
        return new CommandException(ExitCode.FAILED, "Invalid job format specification: " + format);
    }

    List<String> lines(final Iterable<T> rows, final boolean header) {
        final List<String> lines = new ArrayList<>();
        if (header) {
            final StringBuilder line = new StringBuilder(prefix);
            cells.forEach(cell -> line.append(cell.fitted(cell.column.heading())));
            lines.add(line.toString());
        }
        for (final T row : rows) {
            final StringBuilder line = new StringBuilder(prefix);
            cells.forEach(cell -> line.append(cell.fitted(cell.column.value().apply(row))));
            lines.add(line.toString());
        }
        return lines;
    }
}
