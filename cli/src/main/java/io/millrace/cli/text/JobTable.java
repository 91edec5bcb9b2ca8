package io.millrace.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
        byState(counts)
                .forEach((state, jobs) ->
                        table.row(List.of(new Table.Cell(state, colour(state)), new Table.Cell(Long.toString(jobs)))));
        return table;
    }

    /** The state in one word, with the result of an ended job, and with the state of the local job in the queue of a cluster. */
    public static String state(final JsonNode job) {
        if (job.has("tasks")) {
            return states(job.path("tasks").path("counts"));
        }
        final String state = job.path("state").asText();
        return switch (state) {
            case "End" -> result(job);
            case "Submitted" -> queued(job);
            default -> isHeldByUser(job) ? "Held" : state + transfer(job.path("transfer"));
        };
    }

    /** The number of jobs of a batch in each state, such as {@code Running 50, Waiting 1950}. */
    private static String states(final JsonNode counts) {
        final List<String> words = new ArrayList<>();
        byState(counts).forEach((state, jobs) -> words.add(state + " " + jobs));
        return String.join(", ", words);
    }

    private static Map<String, Long> byState(final JsonNode counts) {
        final Map<String, Long> byState = new TreeMap<>();
        counts.forEach(count -> byState.merge(state(count), count.path("jobs").asLong(), Long::sum));
        return byState;
    }

    private static String transfer(final JsonNode transfer) {
        if (transfer.path("state").asText().equals("held")) {
            return " (held)";
        }
        return transfer.hasNonNull("percent") ? " " + transfer.path("percent").asInt() + "%" : "";
    }

    private static String result(final JsonNode job) {
        final String kind = job.path("outcome").path("kind").asText("exited");
        final JsonNode exit = job.has("outcome") ? job.path("outcome").path("exitCode") : job.path("exitCode");
        return switch (kind) {
            case "exited", "signalled" -> exit.asInt(1) == 0 ? "Succeeded" : "Failed";
            case "timed-out" -> "TimedOut";
            case "out-of-memory" -> "OutOfMemory";
            case "preempted" -> "Preempted";
            case "node-failed" -> "NodeFailed";
            case "cancelled" -> "Cancelled";
            default -> "Unknown";
        };
    }

    private static String queued(final JsonNode job) {
        return switch (job.path("localState").asText()) {
            case "running" -> "Running";
            case "suspended" -> "Suspended";
            case "completing", "unsettled" -> "Completing";
            default -> isHeldByUser(job) ? "Held" : waiting(job);
        };
    }

    private static String waiting(final JsonNode job) {
        return switch (job.path("localState").asText()) {
            case "queued" -> "Queued";
            case "held" -> job.path("hold").asText().equals("entry") ? "Queued" : "Submitted";
            default -> "Submitted";
        };
    }

    private static boolean isHeldByUser(final JsonNode job) {
        final String hold = job.path("hold").asText();
        return hold.equals("user") || hold.equals("operator");
    }

    private static Terminal.Colour colour(final String state) {
        return switch (state) {
            case "Succeeded" -> Terminal.Colour.GREEN;
            case "Failed", "TimedOut", "NodeFailed", "Cancelled", "Unknown", "Aborted" -> Terminal.Colour.RED;
            case "Stopped" -> Terminal.Colour.DIM;
            case "Waiting", "Held", "Queued", "Suspended" -> Terminal.Colour.YELLOW;
            default -> Terminal.Colour.BLUE;
        };
    }
}
