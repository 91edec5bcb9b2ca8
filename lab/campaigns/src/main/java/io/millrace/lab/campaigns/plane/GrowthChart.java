package io.millrace.lab.campaigns.plane;

import io.millrace.lab.campaigns.plane.GrowthSize.Dimension;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lines on logarithmic scales: a panel for each dimension in which the centre grows, one row for processor time and one for latency. */
final class GrowthChart {

    /** A line of a row, by its name in the figures. */
    private record Line(String name, String label, String colour) {}

    /** A row of panels. */
    private record Row(String title, String group, List<Line> lines) {}

    private static final List<Row> ROWS = List.of(
            new Row(
                    "processor time for each change, ms",
                    "processor",
                    List.of(
                            new Line("kafka", "broker", "#bab0ab"),
                            new Line("quota", "quota", "#e15759"),
                            new Line("backfill", "backfill", "#4e79a7"),
                            new Line("migration", "migration", "#f28e2b"),
                            new Line("classifier", "classifier", "#59a14f"),
                            new Line("submit", "submit", "#b07aa1"),
                            new Line("transfer", "transfer", "#9c755f"))),
            new Row(
                    "time to the decision, median ms",
                    "latency",
                    List.of(
                            line(GrowthRounds.Decision.ENTITLEMENT, "entitlement", "#e15759"),
                            line(GrowthRounds.Decision.START, "start", "#4e79a7"),
                            line(GrowthRounds.Decision.SUBMIT, "submit", "#f28e2b"),
                            line(GrowthRounds.Decision.RELEASE, "release", "#ffbe7d"),
                            line(GrowthRounds.Decision.CLASS, "class", "#59a14f"))));
    private static final double LEAST = 0.1;
    private static final int DECADES = 5;
    private static final int PANEL = 230;
    private static final int HEIGHT = 200;
    private static final int LEFT = 60;
    private static final int TOP = 50;
    private static final int ROW = HEIGHT + 70;
    private static final int LEGEND = 90;

    private final List<GrowthFigures> sizes;
    private final StringBuilder svg = new StringBuilder();

    private GrowthChart(final List<GrowthFigures> sizes) {
        this.sizes = sizes;
    }

    private static Line line(final GrowthRounds.Decision decision, final String label, final String colour) {
        return new Line(decision.label(), label, colour);
    }

    static String of(final List<GrowthFigures> sizes) {
        return new GrowthChart(sizes).text();
    }

    private String text() {
        final int width = LEFT + Dimension.values().length * (PANEL + LEFT) + LEGEND;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\""
                        + " font-family=\"sans-serif\" font-size=\"11\">%n<rect width=\"100%%\" height=\"100%%\""
                        + " fill=\"#ffffff\"/>%n",
                width, ROWS.size() * ROW + 20);
        for (int r = 0; r < ROWS.size(); r++) {
            final Row row = ROWS.get(r);
            final int top = TOP + r * ROW;
            add("<text x=\"10\" y=\"%d\" font-size=\"14\">%s</text>%n", top - 25, row.title());
            for (final Dimension dimension : Dimension.values()) {
                panel(row, dimension, LEFT + dimension.ordinal() * (PANEL + LEFT), top);
            }
            for (int n = 0; n < row.lines().size(); n++) {
                final int y = top + 10 + 16 * n;
                final Line line = row.lines().get(n);
                add(
                        "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%d\""
                                + " y=\"%d\">%s</text>%n",
                        width - LEGEND, y - 9, line.colour(), width - LEGEND + 15, y, line.label());
            }
        }
        return svg.append("</svg>\n").toString();
    }

    private void panel(final Row row, final Dimension dimension, final int left, final int top) {
        final Map<Integer, GrowthFigures> along = GrowthPage.along(dimension, sizes);
        for (int decade = 0; decade <= DECADES; decade++) {
            final double value = LEAST * Math.pow(10, decade);
            add(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%3$.1f\" y2=\"%3$.1f\" stroke=\"#dddddd\"/><text x=\"%4$d\""
                            + " y=\"%5$.1f\" text-anchor=\"end\">%6$s</text>%n",
                    left,
                    left + PANEL,
                    y(value, top),
                    left - 5,
                    y(value, top) + 4,
                    value < 1 ? "0.1" : String.format(Locale.ROOT, "%,.0f", value));
        }
        final List<Integer> values = List.copyOf(along.keySet());
        for (final int value : values) {
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%,d</text>%n",
                    x(value, values, left), top + HEIGHT + 15, value);
        }
        add(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                left + PANEL / 2, top + HEIGHT + 30, dimension.label());
        row.lines().forEach(line -> draw(row, line, along, left, top));
    }

    private void draw(
            final Row row, final Line line, final Map<Integer, GrowthFigures> along, final int left, final int top) {
        final List<Integer> values = List.copyOf(along.keySet());
        final StringBuilder points = new StringBuilder();
        along.forEach((value, figures) -> {
            final double x = x(value, values, left);
            final double y = y(figures.values(row.group()).getOrDefault(line.name(), 0.0), top);
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
            add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x, y, line.colour());
        });
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                points.toString().strip(), line.colour());
    }

    private static double x(final int value, final List<Integer> values, final int left) {
        final double low = Math.log(values.getFirst());
        final double range = Math.max(1e-9, Math.log(values.getLast()) - low);
        return left + 15 + (PANEL - 30) * (Math.log(value) - low) / range;
    }

    private static double y(final double value, final int top) {
        final double decades = Math.log10(Math.max(LEAST, value) / LEAST);
        return top + HEIGHT * (1 - Math.min(DECADES, decades) / DECADES);
    }

    private void add(final String format, final Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
