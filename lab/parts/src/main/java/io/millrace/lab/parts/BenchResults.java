package io.millrace.lab.parts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Benchmark results with one column per ledger size. */
final class BenchResults {

    private final List<Long> sizes = new ArrayList<>();
    private final Map<String, List<String>> rows = new LinkedHashMap<>();

    void begin(final long size) {
        rows.values().forEach(this::pad);
        sizes.add(size);
    }

    /** Also prints each result immediately, because the benchmark takes long. */
    void put(final String what, final String figure) {
        System.err.printf(Locale.ROOT, "%,d entries, %s: %s%n", sizes.getLast(), what, figure);
        final List<String> row = rows.computeIfAbsent(what, first -> new ArrayList<>());
        while (row.size() < sizes.size() - 1) {
            row.add("");
        }
        row.add(figure);
    }

    private void pad(final List<String> row) {
        while (row.size() < sizes.size()) {
            row.add("");
        }
    }

    /** As a Markdown table. */
    String table() {
        final StringBuilder text = new StringBuilder("| entries |");
        sizes.forEach(size -> text.append(String.format(Locale.ROOT, " %,d |", size)));
        text.append("\n| --- |").append(" --- |".repeat(sizes.size())).append('\n');
        rows.forEach((what, row) -> {
            pad(row);
            text.append("| ")
                    .append(what)
                    .append(" | ")
                    .append(String.join(" | ", row))
                    .append(" |\n");
        });
        return text.toString();
    }
}
