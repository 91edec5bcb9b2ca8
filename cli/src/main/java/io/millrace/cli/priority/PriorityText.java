package io.millrace.cli.priority;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.Json;
import io.millrace.cli.text.AgeFormat;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import io.millrace.cli.text.TerminalText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats priorities and priority rules. */
public final class PriorityText {

    private static final List<String> TERMS =
            List.of("entitlement", "age", "size", "use", "class", "urgency", "project", "budget");

    private static final List<Table.Column> HEADING = List.of(
            new Table.Column("RANK", true, false),
            new Table.Column("JOB", false, false),
            new Table.Column("LOCALID", false, false),
            new Table.Column("NAME", false, true),
            new Table.Column("USER", false, false),
            new Table.Column("PRIORITY", true, false));

    private PriorityText() {}

    /** One column for each term, as in {@code sprio -l}. */
    public static Table table(final JsonNode jobs, final boolean factors) {
        final List<Table.Column> columns = new ArrayList<>(HEADING);
        TERMS.forEach(term -> columns.add(new Table.Column(term.toUpperCase(Locale.ROOT), true, false)));
        final boolean withOverflow = PartitionOverflowText.any(jobs, "otherPartitions");
        if (withOverflow) {
            columns.add(new Table.Column("OVERFLOW", false, false));
        }
        final Table table = new Table(columns);
        for (final JsonNode job : jobs) {
            final List<Table.Cell> cells = heading(job);
            cells.add(new Table.Cell(job.path("priority").asText()));
            TERMS.forEach(term -> cells.add(new Table.Cell(figure(job, term, factors))));
            if (withOverflow) {
                cells.add(PartitionOverflowText.cell(job, "otherPartitions"));
            }
            table.row(cells);
        }
        return table;
    }

    /** Old and new priority, rank and partitions. Improvements are green, deteriorations are red. */
    public static Table changes(final JsonNode jobs) {
        final List<Table.Column> columns = new ArrayList<>(HEADING);
        columns.add(new Table.Column("NEW-PRIORITY", true, false));
        columns.add(new Table.Column("NEW-RANK", true, false));
        final boolean withOverflow = PartitionOverflowText.any(jobs, "otherPartitions")
                || PartitionOverflowText.any(jobs, "previewPartitions");
        if (withOverflow) {
            columns.add(new Table.Column("OVERFLOW", false, false));
            columns.add(new Table.Column("NEW-OVERFLOW", false, false));
        }
        final Table table = new Table(columns);
        for (final JsonNode job : jobs) {
            final List<Table.Cell> cells = heading(job);
            cells.add(new Table.Cell(job.path("priority").asText()));
            cells.add(new Table.Cell(job.path("previewPriority").asText()));
            cells.add(new Table.Cell(job.path("previewRank").asText(), colour(job)));
            if (withOverflow) {
                cells.add(PartitionOverflowText.cell(job, "otherPartitions"));
                cells.add(PartitionOverflowText.previewCell(job));
            }
            table.row(cells);
        }
        return table;
    }

    private static List<Table.Cell> heading(final JsonNode job) {
        return new ArrayList<>(List.of(
                new Table.Cell(job.path("rank").asText()),
                new Table.Cell(job.path("number").asText("-")),
                new Table.Cell(
                        job.path("cluster").asText() + "/" + job.path("id").asText()),
                new Table.Cell(job.path("name").asText()),
                new Table.Cell(job.path("user").asText())));
    }

    private static String figure(final JsonNode job, final String term, final boolean factors) {
        for (final JsonNode found : job.path("terms")) {
            if (found.path("term").asText().equals(term)) {
                return factors
                        ? found.path("factorPercent").asText() + "%"
                        : found.path("points").asText();
            }
        }
        return factors ? "0%" : "0";
    }

    private static Terminal.Colour colour(final JsonNode job) {
        final int moved = job.path("rank").asInt() - job.path("previewRank").asInt();
        if (moved == 0) {
            return Terminal.Colour.NONE;
        }
        return moved > 0 ? Terminal.Colour.GREEN : Terminal.Colour.RED;
    }

    /** Example: {@code 1000250 = entitlement 1000000 x 100% + age 1000 x 25%}. Omits terms with weight 0. */
    public static String sum(final JsonNode entitlement) {
        final List<String> parts = new ArrayList<>();
        for (final JsonNode term : entitlement.path("terms")) {
            if (term.path("weight").asInt() != 0) {
                parts.add(term.path("term").asText() + " " + term.path("weight").asText() + " x "
                        + term.path("factorPercent").asText() + "%");
            }
        }
        return entitlement.path("priority").asText() + (parts.isEmpty() ? "" : " = " + String.join(" + ", parts));
    }

    private static String age(final JsonNode rules, final String field) {
        return AgeFormat.format(Duration.parse(rules.path(field).asText()));
    }

    /** The rules in force, one per line. */
    public static List<String> rules(final JsonNode rules) {
        final List<String> lines = new ArrayList<>();
        lines.add(
                rules.path("version").asLong() == 0
                        ? "No weights set: order is by quota status, then submission time."
                        : "version " + rules.path("version").asText() + " by "
                                + rules.path("author").asText() + " at "
                                + rules.path("changedAt").asText() + ": "
                                + rules.path("reason").asText());
        TERMS.stream()
                .filter(term -> rules.path("weights").has(term))
                .forEach(term -> lines.add(
                        "  " + term + " " + rules.path("weights").path(term).asText()));
        lines.add("  maximum age " + age(rules, "maxAge") + ", half-life " + age(rules, "halfLife"));
        for (final String table : List.of("class", "urgency", "project")) {
            Json.texts(rules.path(table + "FactorsPercent"))
                    .forEach((name, percent) -> lines.add("  " + table + " " + name + " " + percent + "%"));
        }
        rules.path("overflow").forEach(rule -> lines.add("  " + PartitionOverflowText.line(rule)));
        return lines.stream().map(TerminalText::printable).toList();
    }
}
