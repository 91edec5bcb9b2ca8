package io.millrace.cli.priority;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for one overflow rule: the minimum priority that opens other partitions. A rule is identified by cluster and partition. */
final class PartitionOverflowOptions {

    @Option(names = "--from", paramLabel = "PARTITION", description = "jobs that wait in this partition (default: any)")
    @Nullable
    String from;

    @Option(names = "--at", paramLabel = "POINTS", description = "minimum priority; requires --to")
    @Nullable
    Long at;

    @Option(
            names = "--to",
            paramLabel = "PARTITION",
            split = ",",
            description = "partitions to open, in order of preference; replaces the rule with the same --cluster and"
                    + " --from")
    List<String> to = new ArrayList<>();

    @Option(names = "--drop", description = "removes this rule")
    boolean drop;

    boolean isGiven() {
        return from != null || at != null || !to.isEmpty() || drop;
    }

    /** All rules, with the one for this cluster and partition replaced, added or removed. */
    ArrayNode replacedIn(final JsonNode rules, final @Nullable String cluster) throws CommandException {
        if (drop ? at != null || !to.isEmpty() : at == null || to.isEmpty()) {
            throw new CommandException(ExitCode.USAGE, "give both --at and --to, or --drop to remove the rule");
        }
        final ArrayNode all = Json.object().putArray("overflow");
        boolean found = false;
        for (final JsonNode rule : rules) {
            if (!isOf(rule, "cluster", cluster) || !isOf(rule, "from", from)) {
                all.add(rule);
            } else if (!found) {
                found = true;
                put(all, cluster);
            }
        }
        if (!found && drop) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "no rule for --cluster " + shown(cluster) + " and --from " + shown(from)
                            + "; list the rules with mgprio overflow");
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
        final ObjectNode rule = all.addObject();
        if (cluster != null) {
            rule.put("cluster", cluster);
        }
        if (from != null) {
            rule.put("from", from);
        }
        rule.put("minPriority", at);
        final ArrayNode partitions = rule.putArray("to");
        to.forEach(partitions::add);
    }

    private static boolean isOf(final JsonNode rule, final String field, final @Nullable String value) {
        return value == null
                ? !rule.hasNonNull(field)
                : value.equals(rule.path(field).asText());
    }

    private static String shown(final @Nullable String value) {
        return value == null ? "(none)" : value;
    }
}
