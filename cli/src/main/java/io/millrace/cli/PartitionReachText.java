package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Other partitions that priorities open, as text. */
final class PartitionReachText {

    private PartitionReachText() {}

    /** One line for each opening that holds on this cluster; null: on any. */
    static Table table(final JsonNode openings, final @Nullable String cluster) {
        final Table table = new Table(List.of(
                new Table.Column("CLUSTER", false, false),
                new Table.Column("FROM", false, false),
                new Table.Column("AT", true, false),
                new Table.Column("OPENS", false, false)));
        for (final JsonNode opening : openings) {
            if (cluster == null || opening.path("cluster").asText(cluster).equals(cluster)) {
                table.row(List.of(
                        new Table.Cell(opening.path("cluster").asText("*")),
                        new Table.Cell(opening.path("from").asText("*")),
                        new Table.Cell(opening.path("minPriority").asText()),
                        new Table.Cell(names(opening.path("to")))));
            }
        }
        return table;
    }

    /** {@code from 5000 on: fast,span (on alpha, to jobs of main)}. */
    static String line(final JsonNode opening) {
        return "from " + opening.path("minPriority").asText() + " on: " + names(opening.path("to")) + " (on "
                + opening.path("cluster").asText("all clusters") + ", to jobs of "
                + opening.path("from").asText("any partition") + ")";
    }

    static boolean any(final JsonNode jobs, final String field) {
        return StreamSupport.stream(jobs.spliterator(), false)
                .anyMatch(job -> !job.path(field).isEmpty());
    }

    static Table.Cell cell(final JsonNode job, final String field) {
        return new Table.Cell(names(job.path(field)));
    }

    /** Who gains is green, who loses red. */
    static Table.Cell then(final JsonNode job) {
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
