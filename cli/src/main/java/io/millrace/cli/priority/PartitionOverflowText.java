package io.millrace.cli.priority;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Formats overflow rules, which open other partitions from a minimum priority. */
public final class PartitionOverflowText {

    private PartitionOverflowText() {}

    /** @param cluster only rules that apply to this cluster; null: all */
    public static Table table(final JsonNode rules, final @Nullable String cluster) {
        final Table table = new Table(List.of(
                new Table.Column("CLUSTER", false, false),
                new Table.Column("FROM", false, false),
                new Table.Column("MIN-PRIORITY", true, false),
                new Table.Column("TO", false, false)));
        for (final JsonNode rule : rules) {
            if (cluster == null || rule.path("cluster").asText(cluster).equals(cluster)) {
                table.row(List.of(
                        new Table.Cell(rule.path("cluster").asText("*")),
                        new Table.Cell(rule.path("from").asText("*")),
                        new Table.Cell(rule.path("minPriority").asText()),
                        new Table.Cell(names(rule.path("to")))));
            }
        }
        return table;
    }

    /** Example: {@code priority 5000 and above opens fast,span (cluster alpha, partition main)}. */
    static String line(final JsonNode rule) {
        return "priority " + rule.path("minPriority").asText() + " and above opens " + names(rule.path("to")) + " ("
                + (rule.hasNonNull("cluster")
                        ? "cluster " + rule.path("cluster").asText()
                        : "all clusters") + ", "
                + (rule.hasNonNull("from") ? "partition " + rule.path("from").asText() : "any partition") + ")";
    }

    static boolean any(final JsonNode jobs, final String field) {
        return StreamSupport.stream(jobs.spliterator(), false)
                .anyMatch(job -> !job.path(field).isEmpty());
    }

    static Table.Cell cell(final JsonNode job, final String field) {
        return new Table.Cell(names(job.path(field)));
    }

    /** More partitions are green, fewer are red. */
    static Table.Cell previewCell(final JsonNode job) {
        final int gained = job.path("previewPartitions").size()
                - job.path("otherPartitions").size();
        final Terminal.Colour colour =
                gained == 0 ? Terminal.Colour.NONE : gained > 0 ? Terminal.Colour.GREEN : Terminal.Colour.RED;
        return new Table.Cell(names(job.path("previewPartitions")), colour);
    }

    private static String names(final JsonNode partitions) {
        return partitions.isEmpty()
                ? "-"
                : String.join(
                        ",",
                        StreamSupport.stream(partitions.spliterator(), false)
                                .map(JsonNode::asText)
                                .toList());
    }
}
