package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.pbs.PbsSize;
import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node as printed by {@code pbsnodes}, with the resources used by running jobs. */
public record TorqueNode(PbsObject object) {

    private static final Pattern RANGE = Pattern.compile("(\\d{1,7})(?:-(\\d{1,7}))?");

    NodeName name() {
        return NodeName.of(object.name());
    }

    public int cores() {
        return (int) object.number("np", object.number("pcpus", 1));
    }

    /** Properties that jobs can request. */
    public List<String> properties() {
        return Arrays.stream(object.get("properties", "").split("[,\\s]+"))
                .filter(word -> !word.isEmpty())
                .sorted()
                .distinct()
                .toList();
    }

    /**
     * Slots by job id: {@code 0/5[3].vm,4-7/1.vm}; {@code 0/12.srv, 1/12.srv} in older versions; {@code 0-1,4/12.vm}. A suspended job
     * keeps its slots.
     */
    Map<String, Integer> slots() {
        final Map<String, Integer> slots = new TreeMap<>();
        int count = 0;
        for (final String word : object.get("jobs", "").split("[,\\s]+")) {
            final int slash = word.indexOf('/');
            count += count(slash < 0 ? word : word.substring(0, slash));
            if (slash >= 0) {
                slots.merge(word.substring(slash + 1), count, Integer::sum);
                count = 0;
            }
        }
        return slots;
    }

    /** The number of slots in {@code 4} or {@code 4-7}; 0 if it is neither. */
    private static int count(final String range) {
        final Matcher ends = RANGE.matcher(range);
        if (!ends.matches()) {
            return 0;
        }
        final int first = Integer.parseInt(ends.group(1));
        return ends.group(2) == null ? 1 : Math.max(1, Integer.parseInt(ends.group(2)) - first + 1);
    }

    public int freeCores() {
        final int used = slots().values().stream().mapToInt(Integer::intValue).sum();
        return availability() == Availability.UP && !hasState("busy") ? Math.max(0, cores() - used) : 0;
    }

    /** Evaluates the states of pbsnodes(8B), several of which can be combined with commas. */
    public Availability availability() {
        if (hasState("down")) {
            return Availability.DOWN;
        }
        if (hasState("offline")) {
            return Availability.DRAINED;
        }
        if (hasState("free")
                || hasState("job-exclusive")
                || hasState("job-sharing")
                || hasState("time-shared")
                || hasState("busy")
                || hasState("reserve")
                || hasState("<various>")
                || hasState("Running")) {
            return Availability.UP;
        }
        return Availability.UNKNOWN;
    }

    private boolean hasState(final String word) {
        return Arrays.stream(object.get("state", "").split(","))
                .anyMatch(one -> one.strip().equalsIgnoreCase(word));
    }

    int gpus() {
        return (int) object.number("gpus", 0);
    }

    /** The GPUs whose reported state is free; all GPUs if states are not reported. */
    public int freeGpus() {
        final String states = object.get("gpu_status", "");
        final int taken = states.split("gpu_state=(?i)(?!unallocated)", -1).length - 1;
        return Math.max(0, gpus() - (states.isEmpty() ? 0 : taken));
    }

    public long memory_mib() {
        return Arrays.stream(object.get("status", "").split(","))
                .filter(item -> item.startsWith("physmem="))
                .mapToLong(item -> PbsSize.mib(item.substring("physmem=".length())))
                .findFirst()
                .orElse(0);
    }

    /**
     * @param jobs the running and suspended jobs by id
     * @param queues queues of the node
     */
    NodeObserved observed(
            final ClusterId cluster, final Map<String, TorqueJob> jobs, final List<PartitionName> queues) {
        long memory = memory_mib();
        int gpus = gpus();
        final Resources total = new Resources(cores(), 1, memory, gpus);
        for (final Map.Entry<String, Integer> slot : slots().entrySet()) {
            final TorqueJob job = jobs.get(slot.getKey());
            if (job != null) {
                final int all = job.hosts().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                final long wanted = Math.max(
                        PbsSize.mib(job.object().get("Resource_List.mem")),
                        PbsSize.mib(job.object().get("Resource_List.pmem")) * all);
                memory -= wanted * slot.getValue() / Math.max(1, all);
                gpus -= gpusHere(job);
            }
        }
        final Resources free = new Resources(
                freeCores(),
                freeCores() == cores() ? 1 : 0,
                Math.max(0, memory),
                Math.max(0, Math.min(gpus, total.gpus())));
        final Availability availability = availability();
        return new NodeObserved(
                cluster,
                name(),
                availability,
                total,
                availability == Availability.UP ? free : Resources.NONE,
                availability == Availability.UP ? null : reason(),
                properties(),
                queues);
    }

    /** Number of GPUs of the job on this node, from {@code exec_gpus = n1-gpu/0+n1-gpu/1}. */
    private int gpusHere(final TorqueJob job) {
        return (int) Arrays.stream(job.object().get("exec_gpus", "").split("\\+"))
                .filter(one -> one.startsWith(object.name() + "-gpu/"))
                .count();
    }

    private String reason() {
        final String note = object.get("note", "").strip();
        return note.isEmpty() ? object.get("state", "unknown") : note;
    }
}
