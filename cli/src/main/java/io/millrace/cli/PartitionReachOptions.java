package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which priority opens which other partitions, as options: one line of the rules, told by its cluster and partition. */
final class PartitionReachOptions {

    @Option(
            names = "--from",
            paramLabel = "PARTITION",
            description = "for jobs that wait in this partition (else: in any)")
    @Nullable
    String from;

    @Option(names = "--at", paramLabel = "POINTS", description = "from this priority on, with --to")
    @Nullable
    Long at;

    @Option(
            names = "--to",
            paramLabel = "PARTITION",
            split = ",",
            description = "opens these partitions to them, first choice first; in place of what the same --cluster and"
                    + " --from opened")
    List<String> to = new ArrayList<>();

    @Option(names = "--drop", description = "opens nothing any more for this --cluster and --from")
    boolean drop;

    boolean isGiven() {
        return from != null || at != null || !to.isEmpty() || drop;
    }

    /** All openings, with this one in its place. */
    ArrayNode replacedIn(final JsonNode inForce, final @Nullable String cluster) throws CommandException {
        if (drop ? at != null || !to.isEmpty() : at == null || to.isEmpty()) {
            throw new CommandException(ExitCode.USAGE, "say what is opened with --at and --to, or close it with --drop");
        }
        final ArrayNode all = Json.object().putArray("reach");
        boolean found = false;
        for (final JsonNode line : inForce) {
            if (!isOf(line, "cluster", cluster) || !isOf(line, "from", from)) {
                all.add(line);
            } else if (!found) {
                found = true;
                put(all, cluster);
            }
        }
        if (!found && drop) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "nothing is opened for just --cluster " + said(cluster) + " and --from " + said(from)
                            + ": see mgprio reach");
        }
        if (!found) {
            put(all, cluster);
        }
        return all;
    }

    private void put(final ArrayNode all, final @Nullable String cluster) {
        if (drop) {
            return;
        }
        final ObjectNode line = all.addObject();
        if (cluster != null) {
            line.put("cluster", cluster);
        }
        if (from != null) {
            line.put("from", from);
        }
        line.put("minPriority", at);
        final ArrayNode partitions = line.putArray("to");
        to.forEach(partitions::add);
    }

    private static boolean isOf(final JsonNode line, final String field, final @Nullable String value) {
        return value == null
                ? !line.hasNonNull(field)
                : value.equals(line.path(field).asText());
    }

    private static String said(final @Nullable String value) {
        return value == null ? "(none)" : value;
    }
}
