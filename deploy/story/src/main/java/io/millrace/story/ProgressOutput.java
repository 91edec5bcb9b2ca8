package io.millrace.story;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Prints the progress of a scenario: on a terminal a table that is redrawn in place, otherwise one line per change. */
public final class ProgressOutput {

    private static final String BOLD = "\033[1m";
    private static final String DIM = "\033[2m";
    private static final String GREEN = "\033[32m";
    private static final String RED = "\033[31m";
    private static final String PLAIN = "\033[0m";

    private final PrintStream out;
    private final boolean terminal;
    private final Instant startedAt = Instant.now();
    private int drawn;
    private List<String> last = List.of();

    public ProgressOutput(final PrintStream out, final boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    public void scene(final String title) {
        print("");
        print(bold(title));
    }

    /** Prints a line that stays above the table. */
    public void print(final String line) {
        erase();
        out.println(line.isEmpty() ? "" : "%5.1f s  %s".formatted(elapsed(), line));
        redraw();
    }

    void table(
            final List<RestQueries.ClusterLine> clusters,
            final List<QueueMonitor.Row> rows,
            final List<RestQueries.GlobalJob> globalJobs) {
        final List<String> lines = new ArrayList<>();
        lines.add("");
        for (final RestQueries.ClusterLine cluster : clusters) {
            lines.add("%-8s %-14s %-9s %s %d of %d cores idle"
                    .formatted(
                            cluster.name(),
                            cluster.wlm(),
                            cluster.control(),
                            bar(cluster.total() - cluster.free(), cluster.total()),
                            cluster.free(),
                            cluster.total()));
            rows.stream()
                    .filter(row -> row.cluster().equals(cluster.name()))
                    .sorted(Comparator.comparing(QueueMonitor.Row::runs)
                            .reversed()
                            .thenComparing(QueueMonitor.Row::name))
                    .forEach(row -> lines.add(line(row)));
        }
        for (final RestQueries.GlobalJob job : globalJobs) {
            lines.add("%-28s %-10s %-10s %-12s %s"
                    .formatted(job.number(), job.name(), job.owner(), job.state(), job.cluster()));
        }
        show(lines);
    }

    private String line(final QueueMonitor.Row row) {
        final String state = row.runs() ? paint(GREEN, "%-10s".formatted(row.state())) : "%-10s".formatted(row.state());
        return "   %-10s %-10s %3d cores  %s %s"
                .formatted(row.name(), row.owner(), row.cores(), state, paint(DIM, shortened(row.reason(), 78)));
    }

    private void show(final List<String> lines) {
        if (terminal) {
            erase();
            last = lines;
            redraw();
        } else if (!lines.equals(last)) {
            changes(lines).forEach(line -> out.println("%5.1f s  %s".formatted(elapsed(), line.strip())));
            last = lines;
        }
    }

    private List<String> changes(final List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isBlank() && !last.contains(line))
                .toList();
    }

    private void erase() {
        if (terminal && drawn > 0) {
            out.print("\033[" + drawn + "A\033[J");
            drawn = 0;
        }
    }

    private void redraw() {
        if (terminal) {
            last.forEach(out::println);
            drawn = last.size();
        }
    }

    public void verdicts(final List<Verdict> verdicts) {
        last = List.of();
        print("");
        for (final Verdict verdict : verdicts) {
            out.println((verdict.kept() ? paint(GREEN, "✓ ") : paint(RED, "✗ ")) + verdict.promise());
            out.println(paint(DIM, "  " + verdict.seen()));
        }
        out.flush();
    }

    public void plain(final String text) {
        out.println(text);
    }

    private double elapsed() {
        return Duration.between(startedAt, Instant.now()).toMillis() / 1000.0;
    }

    private String bold(final String text) {
        return paint(BOLD, text);
    }

    private String paint(final String colour, final String text) {
        return terminal ? colour + text + PLAIN : text;
    }

    private static String bar(final int used, final int total) {
        final int width = Math.min(total, 32);
        final int full = total == 0 ? 0 : used * width / total;
        return "█".repeat(Math.clamp(full, 0, width)) + "░".repeat(width - Math.clamp(full, 0, width));
    }

    private static String shortened(final String text, final int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }
}
