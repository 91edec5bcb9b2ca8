package io.millrace.agent.slurm;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code sinfo}: every node once, though it prints a node for each of its partitions. */
record NodeQuery(SlurmSite site, String nonce) implements CommandLine<List<NodeObserved>> {

    private static final List<String> FIELDS =
            List.of("nodelist", "statelong", "cpusstate", "memory", "allocmem", "gres", "gresused", "reason");

    @Override
    public List<String> argv() {
        return List.of("sinfo", "--noheader", "--all", "--Node", "--Format=" + Cells.format(FIELDS, nonce));
    }

    @Override
    public Map<String, String> environment() {
        return site.asking();
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Answer<List<NodeObserved>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return Complaint.of("sinfo", result, Answer.Kind.UNREADABLE);
        }
        try {
            final Map<NodeName, NodeObserved> nodes = new LinkedHashMap<>();
            for (final List<String> row : Cells.rows(result.outputText(), FIELDS.size(), nonce)) {
                final NodeObserved node = node(row);
                nodes.put(node.node(), node);
            }
            return Answer.ok(List.copyOf(nodes.values()));
        } catch (final IllegalArgumentException e) {
            return Answer.trouble(Answer.Kind.UNREADABLE, "sinfo printed what cannot be read: " + e.getMessage());
        }
    }

    private NodeObserved node(final List<String> row) {
        final Availability availability = availability(row.get(1));
        final String[] cpus = row.get(2).split("/"); // allocated/idle/other/total
        final long memory = Long.parseLong(row.get(3));
        final Resources total = new Resources(Integer.parseInt(cpus[3]), 1, memory, gpus(row.get(5)));
        final Resources free = new Resources(
                Integer.parseInt(cpus[1]),
                cpus[1].equals(cpus[3]) ? 1 : 0,
                Math.max(0, memory - Long.parseLong(row.get(4))),
                Math.max(0, gpus(row.get(5)) - gpus(row.get(6))));
        final String reason = row.get(7);
        return new NodeObserved(
                site.cluster(),
                NodeName.of(row.get(0)),
                availability,
                total,
                availability == Availability.UP ? free : Resources.NONE,
                availability == Availability.UP || reason.equals("none") ? null : reason);
    }

    /** State words of sinfo(1); a trailing star means that the node does not answer. */
    static Availability availability(final String state) {
        if (state.endsWith("*")) {
            return Availability.DOWN;
        }
        return switch (state.replaceAll("[~#!%$@^-]+$", "")) {
            case "idle", "mixed", "allocated", "allocated+", "completing", "planned" -> Availability.UP;
            case "drained", "draining", "drain", "maint", "reserved", "blocked", "reboot", "reboot_requested" ->
                Availability.DRAINED;
            case "down", "fail", "failing", "power_down", "powering_down", "powered_down", "future", "reboot_issued" ->
                Availability.DOWN;
            default -> Availability.UNKNOWN;
        };
    }

    /** {@code gpu:a100:4(S:0-1),nic:2}: the figures of all entries named gpu. */
    static int gpus(final String gres) {
        int sum = 0;
        for (final String entry : gres.replaceAll("\\([^)]*\\)", "").split(",")) {
            final String[] part = entry.split(":");
            if (part[0].equals("gpu")) {
                sum += part.length == 1 ? 1 : Integer.parseInt(part[part.length - 1]);
            }
        }
        return sum;
    }
}
