package io.millrace.script.translation;

import io.millrace.script.WlmType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a workload manager allocates for options, by the rules of its manual: sbatch(1), the PBS Professional user's guide, Torque's
 * "Requesting Resources", bsub(1). Written without the code of the product.
 *
 * @param processes lines of the list of hosts that the workload manager writes for {@code mpirun}
 * @param nodes 0 if the scheduler may choose
 * @param coresPerProcess 0 if processes differ
 */
record NativeRules(int processes, int cores, int nodes, long memoryMib, int gpus, int coresPerProcess) {

    static NativeRules of(final WlmType wlm, final List<String> words) {
        return switch (wlm) {
            case SLURM -> slurm(words);
            case PBSPRO -> pbsPro(words);
            case TORQUE -> torque(words);
            case LSF -> lsf(words);
            case LOCAL -> throw new IllegalArgumentException("no options");
        };
    }

    private static NativeRules slurm(final List<String> words) {
        final Map<String, String> options = new LinkedHashMap<>();
        words.forEach(word -> options.put(word.replaceFirst("=.*", ""), word.replaceFirst("^[^=]*=?", "")));
        final int tasks = number(options.getOrDefault("--ntasks", "1"));
        final int each = number(options.getOrDefault("--cpus-per-task", "1"));
        final int nodes = tasks == 1 ? 1 : number(options.getOrDefault("--nodes", "0"));
        // Slurm allocates the cores of --ntasks-per-node on each node, although --ntasks takes precedence for the
        // processes.
        final int placed = Math.max(tasks, nodes * number(options.getOrDefault("--ntasks-per-node", "0")));
        final int cores = placed * each;
        if (nodes == 0 && (options.containsKey("--mem") || options.containsKey("--gpus-per-node"))) {
            throw new AssertionError("an amount per node for an open number of nodes: " + words);
        }
        return new NativeRules(
                tasks,
                cores,
                nodes,
                options.containsKey("--mem")
                        ? nodes * mib(options.get("--mem"))
                        : cores * mib(options.getOrDefault("--mem-per-cpu", "0M")),
                number(options.getOrDefault("--gpus", "0"))
                        + nodes * number(options.getOrDefault("--gpus-per-node", "0"))
                        + tasks * number(options.getOrDefault("--gpus-per-task", "0")),
                cores == tasks * each ? each : 0);
    }

    private static NativeRules pbsPro(final List<String> words) {
        int processes = 0;
        int cores = 0;
        int chunks = 0;
        long memory = 0;
        int gpus = 0;
        final List<Integer> each = new ArrayList<>();
        final String place = value(words, "place");
        for (final String chunk : value(words, "select").split("\\+")) {
            final int count = number(chunk.replaceFirst(":.*", ""));
            final int ncpus = number(part(chunk, "ncpus", "0"));
            final int mpiprocs = number(part(chunk, "mpiprocs", ncpus == 0 ? "0" : "1"));
            chunks += count;
            cores += count * ncpus;
            processes += count * mpiprocs;
            memory += count * mib(part(chunk, "mem", "0mb"));
            gpus += count * number(part(chunk, "ngpus", "0"));
            each.add(ncpus % mpiprocs == 0 ? ncpus / mpiprocs : 0);
        }
        final int nodes = place.contains("scatter") ? chunks : chunks == 1 || place.contains("pack") ? 1 : 0;
        return new NativeRules(
                processes, cores, nodes, memory, gpus, each.stream().distinct().count() == 1 ? each.getFirst() : 0);
    }

    private static NativeRules torque(final List<String> words) {
        int cores = 0;
        int nodes = 0;
        int gpus = 0;
        for (final String node : value(words, "nodes").split("\\+")) {
            final int count = number(node.replaceFirst(":.*", ""));
            nodes += count;
            cores += count * number(part(node, "ppn", "1"));
            gpus += count * number(part(node, "gpus", "0"));
        }
        final String memory = value(words, "mem");
        return new NativeRules(cores, cores, nodes, memory.isEmpty() ? 0 : mib(memory), gpus, 1);
    }

    private static NativeRules lsf(final List<String> words) {
        final int slots = number(words.get(words.indexOf("-n") + 1));
        final String string = words.contains("-R") ? words.get(words.indexOf("-R") + 1) : "";
        final int ptile = number(found(string, "ptile=(\\d+)", Integer.toString(slots)));
        final int hosts = slots == 1 || string.contains("hosts=1")
                ? 1
                : string.contains("ptile") ? Math.ceilDiv(slots, ptile) : 0;
        final int each = number(found(string, "affinity\\[\\w+\\((\\d+)\\)", "1"));
        final Matcher memory = Pattern.compile("mem=(\\d+)(/task|/host)?").matcher(string);
        final boolean hasMemory = memory.find();
        final Matcher gpu = Pattern.compile("num=(\\d+)(/task)?")
                .matcher(words.contains("-gpu") ? words.get(words.indexOf("-gpu") + 1) : "");
        final boolean hasGpus = gpu.find();
        if (hosts == 0 && (hasMemory && !"/task".equals(memory.group(2)) || hasGpus && gpu.group(2) == null)) {
            throw new AssertionError("an amount per host for an open number of hosts: " + words);
        }
        return new NativeRules(
                slots,
                slots * each,
                hosts,
                hasMemory ? Long.parseLong(memory.group(1)) * ("/task".equals(memory.group(2)) ? slots : hosts) : 0,
                hasGpus ? number(gpu.group(1)) * (gpu.group(2) == null ? hosts : slots) : 0,
                each);
    }

    /** The value of a resource of {@code -l}; empty if there is none. */
    private static String value(final List<String> words, final String resource) {
        return words.stream()
                .filter(word -> word.startsWith(resource + "="))
                .map(word -> word.substring(resource.length() + 1))
                .findFirst()
                .orElse("");
    }

    private static String part(final String chunk, final String name, final String otherwise) {
        return found(chunk, ":" + name + "=([^:]+)", otherwise);
    }

    private static String found(final String text, final String pattern, final String otherwise) {
        final Matcher match = Pattern.compile(pattern).matcher(text);
        return match.find() ? match.group(1) : otherwise;
    }

    private static int number(final String text) {
        return Integer.parseInt(text);
    }

    private static long mib(final String size) {
        if (!size.matches("\\d+(M|mb)")) {
            throw new AssertionError("not in MiB: " + size);
        }
        return Long.parseLong(size.replaceAll("\\D", ""));
    }
}
