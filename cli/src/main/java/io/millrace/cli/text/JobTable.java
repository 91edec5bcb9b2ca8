package io.millrace.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Formats jobs as a table. */
public final class JobTable {

    /** On terminals with fewer columns, the default table has fewer columns, too. */
    private static final int WIDE = 120;

    private JobTable() {}

    /** The columns of a table without a format. */
    public static List<JobColumn> columns(final Terminal terminal) {
        return terminal.outIsTerminal() && terminal.columns() < WIDE ? JobColumn.NARROW : JobColumn.WIDE;
    }

    public static Table table(final List<JobColumn> columns, final Iterable<JsonNode> jobs, final Instant now) {
        final List<Table.Column> headings = new ArrayList<>();
        columns.forEach(column -> headings.add(column.column()));
        final Table table = new Table(headings);
        final boolean brief = columns.equals(JobColumn.NARROW);
        for (final JsonNode job : jobs) {
            final List<Table.Cell> cells = new ArrayList<>();
            for (final JobColumn column : columns) {
                final String text = column.text(job, now, brief);
                cells.add(column == JobColumn.STATE ? new Table.Cell(text, colour(text)) : new Table.Cell(text));
            }
            table.row(cells);
        }
        return table;
    }

    /** The number of jobs in each state, from the counts of the API. */
    public static Table counts(final JsonNode counts) {
        final Table table =
                new Table(List.of(new Table.Column("STATE", false, false), new Table.Column("JOBS", true, false)));
        counts.forEach(count -> {
            final String state = count.path("state").asText();
            table.row(List.of(
                    new Table.Cell(state, colour(state)),
                    new Table.Cell(count.path("jobs").asText())));
        });
        return table;
    }

    /** The state, with the progress of its transfer; of a batch, the number of its jobs in each state. */
    public static String state(final JsonNode job) {
        return job.has("tasks")
                ? states(job.path("tasks").path("counts"))
                : job.path("state").asText() + transfer(job.path("transfer"));
    }

    /** Such as {@code running 50, waiting 1950}. */
    private static String states(final JsonNode counts) {
        final List<String> words = new ArrayList<>();
        counts.forEach(count -> words.add(
                count.path("state").asText() + " " + count.path("jobs").asText()));
        return String.join(", ", words);
    }

    private static String transfer(final JsonNode transfer) {
        if (transfer.path("state").asText().equals("held")) {
            return " (held)";
        }
        return transfer.hasNonNull("percent") ? " " + transfer.path("percent").asInt() + "%" : "";
    }

    private static Terminal.Colour colour(final String state) {
        return switch (state) {
            case "succeeded" -> Terminal.Colour.GREEN;
            case "failed", "timed-out", "out-of-memory", "node-failed", "cancelled", "aborted" -> Terminal.Colour.RED;
            case "stopped" -> Terminal.Colour.DIM;
            case "waiting", "held", "queued", "preempted", "suspended" -> Terminal.Colour.YELLOW;
            default -> Terminal.Colour.BLUE;
        };
    }
}
