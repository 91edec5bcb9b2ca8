package io.millrace.agent.pbs;

import io.millrace.model.NodeName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses the attributes that name the hosts of a running job. PBS Pro: {@code vm/0*4+vm2/1*2} ({@code exec_host}: host, index,
 * cores) and {@code (vm:ncpus=4:mem=1gb)+(vm2:ncpus=2)} ({@code exec_vnode}). Torque: {@code vm/0+vm/1} or {@code vm/0-3,5} (one
 * number for each slot).
 */
public final class ExecHost {

    private ExecHost() {}

    /** The distinct hosts in order of appearance; empty if the job has none. */
    public static List<NodeName> hosts(final @Nullable String execHost) {
        return List.copyOf(named(cores(execHost).keySet()));
    }

    /** Cores by host, from {@code exec_host}. */
    public static Map<String, Integer> cores(final @Nullable String execHost) {
        final Map<String, Integer> cores = new LinkedHashMap<>();
        if (execHost == null) {
            return cores;
        }
        for (final String part : execHost.strip().split("\\+")) {
            final int slash = part.indexOf('/');
            final String host = (slash < 0 ? part : part.substring(0, slash)).strip();
            if (!host.isEmpty()) {
                cores.merge(host, slash < 0 ? 1 : slots(part.substring(slash + 1)), Integer::sum);
            }
        }
        return cores;
    }

    /** The distinct vnodes of {@code exec_vnode}. Node queries name vnodes if a host is split into several. */
    public static List<NodeName> vnodes(final @Nullable String execVnode) {
        return List.copyOf(named(coresOfVnodes(execVnode).keySet()));
    }

    /** Cores by vnode, from {@code exec_vnode}. */
    public static Map<String, Integer> coresOfVnodes(final @Nullable String execVnode) {
        final Map<String, Integer> cores = new LinkedHashMap<>();
        if (execVnode == null) {
            return cores;
        }
        for (final String chunk : execVnode.split("[()+]")) {
            final String[] words = chunk.split(":");
            if (words.length > 0 && !words[0].isBlank()) {
                cores.merge(words[0].strip(), ncpus(words), Integer::sum);
            }
        }
        return cores;
    }

    private static int ncpus(final String[] words) {
        return Arrays.stream(words)
                .filter(word -> word.startsWith("ncpus="))
                .findFirst()
                .map(word -> number(word.substring("ncpus=".length()), 0))
                .orElse(0);
    }

    /** Number of slots: {@code 0*4} is four, {@code 0} is one, {@code 0-3,5} is five. */
    private static int slots(final String text) {
        final int star = text.indexOf('*');
        if (star >= 0) {
            return number(text.substring(star + 1), 1);
        }
        int slots = 0;
        for (final String range : text.split(",")) {
            final String[] ends = range.split("-", 2);
            slots += ends.length == 1 ? 1 : Math.max(1, number(ends[1], 0) - number(ends[0], 0) + 1);
        }
        return slots;
    }

    private static int number(final String text, final int otherwise) {
        return text.strip().matches("\\d{1,9}") ? Integer.parseInt(text.strip()) : otherwise;
    }

    private static List<NodeName> named(final Set<String> hosts) {
        final List<NodeName> names = new ArrayList<>();
        new LinkedHashSet<>(hosts).forEach(host -> names.add(NodeName.of(host)));
        return names;
    }
}
