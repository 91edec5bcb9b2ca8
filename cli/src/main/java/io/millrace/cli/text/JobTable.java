package io.millrace.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Formats jobs as a table. */
public final class JobTable {

    private static final List<Table.Column> COLUMNS = List.of(
            new Table.Column("ID", false, false),
            new Table.Column("NAME", false, true),
            new Table.Column("USER", false, false),
            new Table.Column("STATE", false, false),
            new Table.Column("LOCAL", false, false),
            new Table.Column("CLUSTER", false, false),
            new Table.Column("CORES", true, false),
            new Table.Column("AGE", true, false));

    private JobTable() {}

    public static Table table(final Iterable<JsonNode> jobs, final Instant now) {
        final Table table = new Table(COLUMNS);
        for (final JsonNode job : jobs) {
            table.row(List.of(
                    new Table.Cell(job.path("id").asText()),
                    new Table.Cell(job.path("name").asText()),
                    new Table.Cell(job.path("user").asText()),
                    new Table.Cell(job.path("state").asText(), colour(job)),
                    new Table.Cell(local(job)),
                    new Table.Cell(job.path("cluster").asText("-")),
                    new Table.Cell(job.path("cores").asText()),
                    new Table.Cell(AgeFormat.format(Duration.between(
                            Instant.parse(job.path("submittedAt").asText()), now)))));
        }
        return table;
    }

    /** The state, followed by the local state or the outcome in parentheses if there is one. */
    public static String state(final JsonNode job) {
        final String local = local(job);
        return job.path("state").asText() + (local.equals("-") ? "" : " (" + local + ")");
    }

    private static String local(final JsonNode job) {
        if (job.hasNonNull("localState")) {
            return job.path("localState").asText();
        }
        final JsonNode outcome = job.path("outcome");
        return outcome.isMissingNode() || outcome.isNull()
                ? "-"
                : outcome.path("kind").asText() + code(outcome);
    }

    private static String code(final JsonNode outcome) {
        return outcome.path("exitCode").isInt() ? " " + outcome.path("exitCode").asInt() : "";
    }

    private static Terminal.Colour colour(final JsonNode job) {
        return switch (job.path("state").asText()) {
            case "End" ->
                job.path("outcome").path("exitCode").asInt(1) == 0 ? Terminal.Colour.GREEN : Terminal.Colour.RED;
            case "Aborted" -> Terminal.Colour.RED;
            case "Stopped" -> Terminal.Colour.DIM;
            case "Waiting" -> Terminal.Colour.YELLOW;
            default -> Terminal.Colour.BLUE;
        };
    }
}
