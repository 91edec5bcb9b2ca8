package io.millrace.cli.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much of its cores and memory each job or user used. The CPU efficiency is CPU time / (cores x time); the memory efficiency is peak /
 * requested, of several runs weighted by their time. Runs that were not measured do not count.
 */
final class EfficiencyTable {

    /** What a line is about. */
    enum By {
        job,
        user
    }

    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double SECONDS_PER_HOUR = 3600;

    private final By by;
    private final Map<String, Sum> sums;
    private int measured;
    private int all;

    EfficiencyTable(final By by) {
        this.by = by;
        this.sums = by == By.job ? new LinkedHashMap<>() : new TreeMap<>();
    }

    /** The figures of the runs of a line. */
    private static final class Sum {
        private final String user;
        private final String name;
        private int runs;
        private double used_core_s;
        private double core_s;
        private double used_mib_s;
        private double requested_mib_s;
        private long peak_bytes;

        Sum(final JsonNode run) {
            this.user = run.path("user").asText();
            this.name = run.path("name").asText();
        }

        void add(final JsonNode run) {
            final JsonNode used = run.path("used");
            final double time_s = run.path("coreSeconds").asDouble()
                    / Math.max(1, run.path("cores").asInt());
            runs++;
            if (used.has("cpuSeconds")) {
                used_core_s += used.path("cpuSeconds").asDouble();
                core_s += run.path("coreSeconds").asDouble();
            }
            final long peak = used.path("peakMemoryBytes").asLong();
            peak_bytes = Math.max(peak_bytes, peak);
            if (peak > 0 && run.path("memoryMib").asLong() > 0) {
                used_mib_s += peak / BYTES_PER_MIB * time_s;
                requested_mib_s += run.path("memoryMib").asDouble() * time_s;
            }
        }
    }

    void add(final JsonNode run) {
        all++;
        if (!run.has("used")) {
            return;
        }
        measured++;
        final String line = by == By.job ? Mgusage.job(run) : run.path("user").asText();
        sums.computeIfAbsent(line, key -> new Sum(run)).add(run);
    }

    List<String> lines(final Terminal terminal) {
        if (all == 0) {
            return List.of("no runs ended in this period");
        }
        final Table table = new Table(columns());
        sums.forEach((line, sum) -> table.row(row(line, sum)));
        final List<String> lines = new ArrayList<>(table.isEmpty() ? List.of() : table.lines(terminal));
        lines.add(measured + " of " + all + " runs were measured");
        return lines;
    }

    private List<Table.Column> columns() {
        final List<Table.Column> columns = new ArrayList<>();
        if (by == By.job) {
            columns.add(new Table.Column("JOB", false, false));
        }
        columns.add(new Table.Column("USER", false, true));
        if (by == By.job) {
            columns.add(new Table.Column("NAME", false, true));
        }
        for (final String figure : List.of("RUNS", "CORE-H", "CPU", "MEMORY", "PEAK-MIB")) {
            columns.add(new Table.Column(figure, true, false));
        }
        return columns;
    }

    private List<Table.Cell> row(final String line, final Sum sum) {
        final List<String> cells = new ArrayList<>(by == By.job ? List.of(line, sum.user, sum.name) : List.of(line));
        cells.add(Integer.toString(sum.runs));
        cells.add(String.format(Locale.ROOT, "%.2f", sum.core_s / SECONDS_PER_HOUR));
        cells.add(percent(sum.used_core_s, sum.core_s));
        cells.add(percent(sum.used_mib_s, sum.requested_mib_s));
        cells.add(sum.peak_bytes == 0 ? "-" : String.format(Locale.ROOT, "%.0f", sum.peak_bytes / BYTES_PER_MIB));
        return cells.stream().map(Table.Cell::new).toList();
    }

    private static String percent(final double part, final double whole) {
        return whole <= 0 ? "-" : String.format(Locale.ROOT, "%.0f%%", part / whole * 100);
    }
}
