package io.millrace.script;

import io.millrace.model.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * How the processes, cores, memory and GPUs of a job are divided, as the script requests it. The totals are {@code JobSpec.resources}.
 *
 * @param parts equal neighbours are one entry; each part is on one node
 * @param nodes one for each part; 0 for any, where several parts can share a node
 * @param tasksPerNode most processes on a node; 0 for any
 * @param threads threads of a process ({@code OMP_NUM_THREADS}), if the workload manager of the script sets them; otherwise 0
 * @param features properties required of every node, in the syntax of the script
 * @param exclusive whether other jobs must not use the nodes
 */
public record TaskLayout(
        List<Part> parts, int nodes, int tasksPerNode, int threads, List<String> features, boolean exclusive) {

    /** No request is larger. */
    public static final int MOST = 1_000_000_000;

    /**
     * Equal parts of a job.
     *
     * @param count number of parts
     * @param tasks processes of each part
     * @param cores of each part; not always a multiple of its processes
     * @param memoryMib of each part; 0 if the script requests memory only in total
     * @param gpus of each part; 0 if the script requests GPUs only in total
     */
    public record Part(int count, int tasks, int cores, long memoryMib, int gpus) {

        public Part times(final int number) {
            return new Part(number, tasks, cores, memoryMib, gpus);
        }

        Part with(final long memory, final int number) {
            return new Part(count, tasks, cores, memory, number);
        }
    }

    public TaskLayout {
        parts = joined(parts);
        features = List.copyOf(features);
    }

    /** One core per process. */
    public static TaskLayout even(final int cores, final int nodes) {
        return even(cores, 1, nodes);
    }

    /** Processes of equal size, spread over the nodes as evenly as possible. */
    public static TaskLayout even(final int tasks, final int coresPerTask, final int nodes) {
        final List<Part> parts = new ArrayList<>();
        final int count = nodes > 0 ? Math.min(nodes, tasks) : tasks;
        final int larger = tasks % count;
        for (final int group : new int[] {larger, count - larger}) {
            final int each = tasks / count + (parts.isEmpty() && larger > 0 ? 1 : 0);
            if (group > 0) {
                parts.add(new Part(group, each, each * coresPerTask, 0, 0));
            }
        }
        return new TaskLayout(parts, nodes > 0 ? count : 0, 0, 0, List.of(), false);
    }

    /** The same number of processes on each node, except on the last one. */
    public static TaskLayout filled(final int tasks, final int coresPerTask, final int tasksPerNode) {
        final List<Part> parts = new ArrayList<>();
        if (tasks >= tasksPerNode) {
            parts.add(new Part(tasks / tasksPerNode, tasksPerNode, tasksPerNode * coresPerTask, 0, 0));
        }
        final int rest = tasks % tasksPerNode;
        if (rest > 0) {
            parts.add(new Part(1, rest, rest * coresPerTask, 0, 0));
        }
        return new TaskLayout(parts, Math.ceilDiv(tasks, tasksPerNode), tasksPerNode, 0, List.of(), false);
    }

    private static List<Part> joined(final List<Part> parts) {
        final List<Part> joined = new ArrayList<>();
        for (final Part part : parts) {
            final Part last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && last.times(1).equals(part.times(1))) {
                joined.set(joined.size() - 1, last.times(last.count() + part.count()));
            } else {
                joined.add(part);
            }
        }
        return List.copyOf(joined);
    }

    /** Total processes. */
    public int tasks() {
        return Math.max(1, sum(Part::tasks));
    }

    /** Total cores. */
    public int cores() {
        return sum(Part::cores);
    }

    /** Number of parts. */
    public int count() {
        return sum(part -> 1);
    }

    private int sum(final ToIntFunction<Part> amount) {
        return (int) Math.min(
                MOST,
                parts.stream()
                        .mapToLong(part -> (long) part.count() * amount.applyAsInt(part))
                        .sum());
    }

    private long memoryMib() {
        return parts.stream().mapToLong(part -> part.count() * part.memoryMib()).sum();
    }

    /** Whether all parts are equal. */
    public boolean isUniform() {
        return parts.size() == 1;
    }

    public boolean isOnOneNode() {
        return nodes == 1 || count() == 1;
    }

    /** Cores of each process; 0 if the cores of a part are not divided equally among its processes. */
    public int coresPerTask() {
        final int tasks = parts.getFirst().tasks();
        final int each = tasks == 0 ? 0 : parts.getFirst().cores() / tasks;
        return parts.stream().allMatch(part -> part.tasks() * each == part.cores()) ? each : 0;
    }

    public TaskLayout onOneNode() {
        final List<Part> one = List.of(new Part(1, tasks(), cores(), memoryMib(), sum(Part::gpus)));
        return new TaskLayout(one, 1, tasksPerNode > 0 ? tasks() : 0, threads, features, exclusive);
    }

    /** The processes of this layout on a number of nodes that it leaves open. */
    public TaskLayout onNodes(final int number) {
        if (number == 1 || coresPerTask() == 0) {
            return onOneNode();
        }
        final TaskLayout even = even(tasks(), coresPerTask(), number);
        return new TaskLayout(even.parts(), even.nodes(), tasksPerNode, threads, features, exclusive);
    }

    /** Each part on a node of its own. */
    public TaskLayout onSeparateNodes() {
        return new TaskLayout(parts, count(), tasksPerNode, threads, features, exclusive);
    }

    public TaskLayout withTasksPerNode(final int number) {
        return new TaskLayout(parts, nodes, number, threads, features, exclusive);
    }

    public TaskLayout with(final List<String> otherFeatures, final boolean otherExclusive) {
        return new TaskLayout(parts, nodes, tasksPerNode, threads, otherFeatures, otherExclusive);
    }

    /**
     * The parts with the granted memory and GPUs: as the script divides them, if that adds up to the grant. Otherwise memory is divided by
     * cores, and GPUs one by one.
     */
    public TaskLayout granted(final Resources granted) {
        final boolean memoryStays = memoryMib() == granted.memoryMib();
        final boolean gpusStay = sum(Part::gpus) == granted.gpus();
        if (memoryStays && gpusStay) {
            return this;
        }
        final List<Part> divided = new ArrayList<>();
        int larger = gpusStay ? 0 : granted.gpus() % count();
        for (final Part part : parts) {
            final long memory = memoryStays
                    ? part.memoryMib()
                    : Math.ceilDiv(granted.memoryMib() * part.cores(), (long) Math.max(1, cores()));
            final int gpus = gpusStay ? part.gpus() : granted.gpus() / count();
            final int first = Math.min(larger, part.count());
            larger -= first;
            if (first > 0) {
                divided.add(part.times(first).with(memory, gpus + 1));
            }
            if (first < part.count()) {
                divided.add(part.times(part.count() - first).with(memory, gpus));
            }
        }
        return new TaskLayout(divided, nodes, tasksPerNode, threads, features, exclusive);
    }
}
