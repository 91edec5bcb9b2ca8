package io.millrace.agent.slurm;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the tables of {@code squeue} and {@code sinfo} whatever users write into names and comments: each cell is followed by a word
 * drawn anew for each query, so that no text in a cell can be taken for the end of one.
 */
final class Cells {

    private Cells() {}

    /** The argument of {@code -O} for these fields; size 0 prints a cell in full. */
    static String format(final List<String> fields, final String nonce) {
        final StringBuilder format = new StringBuilder();
        for (final String field : fields) {
            format.append(format.isEmpty() ? "" : ",")
                    .append(field)
                    .append(":0")
                    .append(end(nonce));
        }
        return format.toString();
    }

    /**
     * The rows.
     *
     * @throws IllegalArgumentException if the output is no whole number of rows
     */
    static List<List<String>> rows(final String output, final int width, final String nonce) {
        final String[] cells = output.split(java.util.regex.Pattern.quote(end(nonce)), -1);
        final int complete = cells.length - 1; // behind the last cell stands the last line's end
        if (complete % width != 0 || !cells[complete].isBlank()) {
            throw new IllegalArgumentException("expected rows of " + width + " cells, got " + complete + " cells");
        }
        final List<List<String>> rows = new ArrayList<>(complete / width);
        for (int at = 0; at < complete; at += width) {
            final List<String> row = new ArrayList<>(List.of(cells).subList(at, at + width));
            row.set(0, row.get(0).strip()); // the end of the line before
            rows.add(row);
        }
        return rows;
    }

    private static String end(final String nonce) {
        return "#" + nonce + "#";
    }
}
