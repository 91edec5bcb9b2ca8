package io.millrace.lab.campaigns.plane;

import io.millrace.lab.campaigns.plane.GrowthSize.Dimension;
import io.millrace.story.Texts;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prints the figures of {@link MeasureGrowth} as the tables of {@code docs/experiments/growth.md} and draws their chart.
 *
 * <p>Arguments: the file of figures, and the file of the chart.
 */
public final class GrowthPage {

    /** Title and group of each table. A name whose figures are all below the least one is left out. */
    private record Table(String title, String group, double least, String format) {}

    private static final List<Table> TABLES = List.of(
            new Table("time to the decision, median ms", "latency", 0, "%,.0f"),
            new Table("time to the decision, 90 % below, ms", "latency-p90", 0, "%,.0f"),
            new Table("processor time for each change, ms", "processor", 0.5, "%,.1f"),
            new Table("processor time of the idle plane, cores", "idle", 0.002, "%,.3f"),
            new Table(
                    "until the jobs of the first revision are decided and in the read model, s", "filled", 0, "%,.0f"),
            new Table("processor time for each job of the first revision, ms", "fill", 0.01, "%,.2f"),
            new Table("live heap, MiB", "heap", 0, "%,.0f"),
            new Table("memory, MiB", "memory", 0, "%,.0f"),
            new Table("records for each change, transaction markers included", "records", 0.05, "%,.1f"));

    private final List<GrowthFigures> sizes;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private GrowthPage(final List<GrowthFigures> sizes) {
        this.sizes = sizes;
    }

    public static void main(final String[] arguments) {
        final List<GrowthFigures> sizes = GrowthFigures.read(Path.of(arguments[0]));
        final GrowthPage page = new GrowthPage(sizes);
        TABLES.forEach(page::print);
        page.out.println("chart: " + Texts.write(Path.of(arguments[1]), GrowthChart.of(sizes)));
    }

    private void print(final Table table) {
        out.println();
        out.println(line(
                table.title(),
                sizes.stream()
                        .map(one ->
                                one.size().waiting() + " jobs, " + one.size().clusters() + " clusters, "
                                        + one.size().partitions() + " partitions")
                        .toList()));
        out.println(line("---", sizes.stream().map(one -> "---:").toList()));
        for (final String name : names(table.group())) {
            if (sizes.stream().anyMatch(one -> value(one, table.group(), name) >= table.least())) {
                out.println(line(
                        name,
                        sizes.stream()
                                .map(one -> String.format(Locale.ROOT, table.format(), value(one, table.group(), name)))
                                .toList()));
            }
        }
    }

    private Set<String> names(final String group) {
        return sizes.stream()
                .flatMap(one -> one.values(group).keySet().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static double value(final GrowthFigures size, final String group, final String name) {
        return size.values(group).getOrDefault(name, 0.0);
    }

    private static String line(final String first, final List<String> others) {
        return "| " + first + " | " + String.join(" | ", others) + " |";
    }

    /** The sizes that differ from the first one at most in this dimension, by their value in it. */
    static Map<Integer, GrowthFigures> along(final Dimension dimension, final List<GrowthFigures> sizes) {
        final GrowthSize first = sizes.getFirst().size();
        return sizes.stream()
                .filter(one -> Arrays.stream(Dimension.values())
                        .filter(other -> other != dimension)
                        .allMatch(other -> one.size().in(other) == first.in(other)))
                .collect(Collectors.toMap(
                        one -> one.size().in(dimension), one -> one, (one, other) -> one, TreeMap::new));
    }
}
