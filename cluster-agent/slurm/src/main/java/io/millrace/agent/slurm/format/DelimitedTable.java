package io.millrace.agent.slurm.format;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads tables of {@code squeue} and {@code sinfo} that contain arbitrary user text. Each cell ends with a delimiter that is random for
 * each query, so no text in a cell can be mistaken for it.
 */
public final class DelimitedTable {

    private DelimitedTable() {}

    /** The argument of {@code --Format} for these fields; size 0 prints a cell in full. */
    public static String format(final List<String> fields, final String nonce) {
        final StringBuilder format = new StringBuilder();
        for (final String field : fields) {
            format.append(format.isEmpty() ? "" : ",")
                    .append(field)
                    .append(":0")
                    .append(delimiter(nonce));
        }
        return format.toString();
    }

    /**
     * The rows.
     *
     * @throws IllegalArgumentException if the output does not consist of complete rows
     */
    public static List<List<String>> rows(final String output, final int width, final String nonce) {
        final List<String> cells = cells(output, width, delimiter(nonce));
        if (cells.size() % width != 0) {
            throw new IllegalArgumentException("expected rows of " + width + " cells, got " + cells.size() + " cells");
        }
        final List<List<String>> rows = new ArrayList<>(cells.size() / width);
        for (int at = 0; at < cells.size(); at += width) {
            rows.add(cells.subList(at, at + width));
        }
        return rows;
    }

    private static List<String> cells(final String output, final int width, final String end) {
        final List<String> cells = new ArrayList<>();
        int from = 0;
        for (int at = output.indexOf(end); at >= 0; at = output.indexOf(end, from)) {
            // The last cell of a row is followed by a line break.
            final boolean newRow = from > 0 && cells.size() % width == 0 && output.charAt(from) == '\n';
            final String above = cells.size() < width ? "" : cells.get(cells.size() - width);
            cells.add(cell(output, newRow ? from + 1 : from, at, above));
            from = at + end.length();
        }
        if (!output.substring(from).isBlank()) {
            throw new IllegalArgumentException("the last row is incomplete");
        }
        return cells;
    }

    /** Most cells of a full queue equal the one above; sharing them saves most of its memory. */
    private static String cell(final String output, final int from, final int to, final String above) {
        return above.length() == to - from && output.startsWith(above, from) ? above : output.substring(from, to);
    }

    /** The delimiter contains 48 random bits; a longer one would make up most of the output for a full queue. */
    public static String delimiter(final String nonce) {
        return "#" + nonce.substring(0, Math.min(12, nonce.length())) + "#";
    }
}
