package io.millrace.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A table with headings. On a terminal, columns that may shrink are cut so that each row fits on one line. */
public final class Table {

    /** @param shrinks whether this column may be cut if the line is too long */
    public record Column(String heading, boolean rightAligned, boolean shrinks) {}

    public record Cell(String text, Terminal.Colour colour) {
        public Cell {
            text = TerminalText.printable(text);
        }

        public Cell(final String text) {
            this(text, Terminal.Colour.NONE);
        }
    }

    private static final int GAP = 2;
    private static final int SHORTEST = 8;

    private final List<Column> columns;
    private final List<List<Cell>> rows = new ArrayList<>();

    public Table(final List<Column> columns) {
        this.columns = columns;
    }

    public void row(final List<Cell> cells) {
        rows.add(cells);
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    public List<String> lines(final Terminal terminal) {
        final int[] widths = widths(terminal.columns());
        final List<String> lines = new ArrayList<>();
        lines.add(line(
                columns.stream()
                        .map(column -> new Cell(column.heading, Terminal.Colour.DIM))
                        .toList(),
                widths,
                terminal));
        rows.forEach(row -> lines.add(line(row, widths, terminal)));
        return lines;
    }

    private String line(final List<Cell> cells, final int[] widths, final Terminal terminal) {
        final StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            final boolean last = i == cells.size() - 1;
            final Column column = columns.get(i);
            final String text = last && !column.rightAligned
                    ? TerminalText.cut(cells.get(i).text, widths[i])
                    : TerminalText.fit(cells.get(i).text, widths[i], column.rightAligned);
            line.append(terminal.coloured(text, cells.get(i).colour)).append(last ? "" : " ".repeat(GAP));
        }
        return line.toString();
    }

    private int[] widths(final int available) {
        final int[] widths = IntStream.range(0, columns.size())
                .map(i -> Math.max(
                        TerminalText.width(columns.get(i).heading),
                        rows.stream()
                                .mapToInt(row -> TerminalText.width(row.get(i).text))
                                .max()
                                .orElse(0)))
                .toArray();
        final int over = IntStream.of(widths).sum() + GAP * (widths.length - 1) - available;
        for (int i = 0; available > 0 && i < widths.length; i++) {
            if (columns.get(i).shrinks && over > 0) {
                widths[i] = Math.max(Math.min(SHORTEST, widths[i]), widths[i] - over);
            }
        }
        return widths;
    }
}
