package io.millrace.cli.slurm;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The format options of {@code sacct} and {@code sshare}, and the table that they select. */
final class AccountingTable {

    @Option(
            names = {"-o", "--format", "--fields"},
            paramLabel = "FIELDS",
            description = "fields, separated by commas; NAME%%20: width, NAME%%-20: left aligned")
    @Nullable
    List<String> format;

    @Option(
            names = {"-n", "--noheader"},
            description = "no headings")
    boolean noHeader;

    @Option(
            names = {"-p", "--parsable"},
            description = "fields separated by '|', with one at the end of the line")
    boolean parsable;

    @Option(
            names = {"-P", "--parsable2"},
            description = "fields separated by '|'")
    boolean parsable2;

    @Option(names = "--delimiter", paramLabel = "TEXT", description = "instead of '|'")
    String delimiter = "|";

    private record Field<T>(SlurmColumn<T> column, int width) {

        String fitted(final String text) {
            final int columns = Math.abs(width);
            final String cut = text.length() > columns ? text.substring(0, Math.max(0, columns - 1)) + "+" : text;
            final String blanks = " ".repeat(columns - cut.length());
            return width < 0 ? cut + blanks : blanks + cut;
        }
    }

    /** @param otherwise the fields without an option */
    <T> List<String> lines(final Iterable<T> rows, final List<SlurmColumn<T>> known, final String otherwise)
            throws CommandException {
        final List<Field<T>> fields = new ArrayList<>();
        for (final String word : (format == null ? otherwise : String.join(",", format)).split(",")) {
            if (!word.isBlank()) {
                fields.add(field(word.strip(), known));
            }
        }
        final List<String> lines = new ArrayList<>();
        if (!noHeader) {
            lines.add(line(
                    fields, fields.stream().map(field -> field.column.heading()).toList()));
            if (!isParsable()) {
                lines.add(line(
                        fields,
                        fields.stream()
                                .map(field -> "-".repeat(Math.abs(field.width)))
                                .toList()));
            }
        }
        rows.forEach(row -> lines.add(line(
                fields,
                fields.stream().map(field -> field.column.value().apply(row)).toList())));
        return lines;
    }

    private boolean isParsable() {
        return parsable || parsable2;
    }

    private <T> String line(final List<Field<T>> fields, final List<String> texts) {
        if (isParsable()) {
            return String.join(delimiter, texts) + (parsable2 ? "" : delimiter);
        }
        final StringBuilder line = new StringBuilder();
        for (int i = 0; i < texts.size(); i++) {
            line.append(fields.get(i).fitted(texts.get(i))).append(' ');
        }
        return line.toString();
    }

    /** The field of this name, otherwise the first whose name begins with it. */
    private static <T> Field<T> field(final String word, final List<SlurmColumn<T>> known) throws CommandException {
        final String[] parts = word.split("%", 2);
        final SlurmColumn<T> column = known.stream()
                .filter(one -> one.heading().regionMatches(true, 0, parts[0], 0, parts[0].length()))
                .min(Comparator.comparing((SlurmColumn<T> one) -> !one.heading().equalsIgnoreCase(parts[0]))
                        .thenComparing(SlurmColumn::heading))
                .orElseThrow(() -> invalid(word));
        return new Field<>(column, parts.length == 1 ? column.width() : width(word, parts[1]));
    }

    private static int width(final String word, final String digits) throws CommandException {
        if (!digits.matches("-?\\d{1,4}")) {
            throw invalid(word);
        }
        return Integer.parseInt(digits);
    }

    private static CommandException invalid(final String word) {
        return new CommandException(ExitCode.FAILED, "Invalid field requested: \"" + word + "\"");
    }
}
