package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.DelimitedTable;
import io.millrace.agent.slurm.format.Quantities;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** {@code sinfo}: all nodes, each once. sinfo prints one row per node and partition, and omits nodes without a partition. */
public record NodeQuery(SlurmSite site, String nonce) implements QueryCommand<List<NodeObserved>> {

    private static final List<String> FIELDS = List.of(
            "nodelist",
            "statelong",
            "cpusstate",
            "memory",
            "allocmem",
            "gres",
            "gresused",
            "reason",
            "features_act",
            "partitionname");

    @Override
    public List<String> argv() {
        return List.of(
                "sinfo",
                "--noheader",
                "--all",
                "--Node",
                "--noconvert",
                "--Format=" + DelimitedTable.format(FIELDS, nonce));
    }

    @Override
    public Answer<List<NodeObserved>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return SlurmErrors.of("sinfo", result, Answer.Kind.UNREADABLE);
        }
        try {
            final Map<String, List<String>> rows = new LinkedHashMap<>();
            final Map<String, SortedSet<PartitionName>> partitions = new HashMap<>();
            for (final List<String> row : DelimitedTable.rows(result.outputText(), FIELDS.size(), nonce)) {
                rows.put(row.get(0), row);
                partitions.computeIfAbsent(row.get(0), node -> new TreeSet<>()).add(NameMapping.partition(row.get(9)));
            }
            return Answer.ok(rows.values().stream()
                    .map(row -> node(row, partitions.getOrDefault(row.get(0), new TreeSet<>())))
                    .toList());
        } catch (final IllegalArgumentException e) {
            return SlurmErrors.unreadable("sinfo", e, result);
        }
    }

    private NodeObserved node(final List<String> row, final SortedSet<PartitionName> partitions) {
        final Availability availability = NodeStates.availability(row.get(1));
        final String[] cpus = row.get(2).split("/"); // allocated/idle/other/total
        if (cpus.length != 4) {
            throw new IllegalArgumentException("node " + row.get(0) + ": '" + row.get(2)
                    + "' is not a CPU count of the form allocated/idle/other/total");
        }
        final int idle = Quantities.intCount(cpus[1]);
        final int cores = Quantities.intCount(cpus[3]);
        final long memory = Quantities.mebibytes(row.get(3));
        final int gpus = GpuCount.requested(row.get(5));
        final Resources total = new Resources(cores, 1, memory, gpus);
        final Resources free = new Resources(
                idle,
                idle == cores ? 1 : 0,
                Math.max(0, memory - Quantities.mebibytes(row.get(4))),
                Math.max(0, gpus - GpuCount.requested(row.get(6))));
        final String reason = row.get(7);
        return new NodeObserved(
                site.cluster(),
                NodeName.of(row.get(0)),
                availability,
                total,
                availability == Availability.UP ? free : Resources.NONE,
                availability == Availability.UP || reason.equals("none") ? null : reason,
                features(row.get(8)),
                List.copyOf(partitions));
    }

    private static List<String> features(final String text) {
        return text.isEmpty() || text.equals("(null)") || text.equals("N/A")
                ? List.of()
                : Arrays.stream(text.split(",")).sorted().distinct().toList();
    }
}
