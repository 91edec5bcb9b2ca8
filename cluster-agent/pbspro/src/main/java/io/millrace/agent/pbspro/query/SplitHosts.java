package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Hosts that PBS splits into vnodes, for example one for each NUMA node. {@code pbsnodes -a} adds up the vnodes of a host and prints
 * {@code <various>} where they differ, {@code pbsnodes -av} lists them; jobs name the vnodes.
 *
 * @param hosts names of the hosts
 * @param vnodes vnodes by host; empty if no host has vnodes in different states
 */
record SplitHosts(Set<String> hosts, Map<String, List<PbsObject>> vnodes) {

    private static final String VARIOUS = "<various>";

    static SplitHosts of(final QueryResult hosts, final QueryResult vnodes) {
        return new SplitHosts(
                hosts.objects().stream().map(PbsObject::name).collect(Collectors.toSet()),
                vnodes.objects().stream()
                        .collect(Collectors.groupingBy(vnode -> vnode.get("resources_available.host", vnode.name()))));
    }

    /** Whether the vnodes of a host are in different states, so that only some of them can run jobs. */
    static boolean areMixed(final QueryResult hosts) {
        return hosts.objects().stream().anyMatch(SplitHosts::isMixed);
    }

    static boolean isMixed(final PbsObject host) {
        return host.get("state", "").contains(VARIOUS);
    }

    List<PbsObject> vnodesOf(final PbsObject host) {
        return vnodes.getOrDefault(host.name(), List.of());
    }

    /** The job on hosts instead of vnodes. */
    PbsJob onHosts(final PbsJob job) {
        final String chunks = job.object().get("exec_vnode", "");
        if (chunks.isEmpty()) {
            return job;
        }
        final Map<String, String> hostOf = new HashMap<>();
        vnodes.forEach((host, parts) -> parts.forEach(vnode -> hostOf.put(vnode.name(), host)));
        final String renamed = Arrays.stream(chunks.split("(?<=[()+])|(?=[()+])"))
                .map(chunk -> {
                    final int colon = chunk.indexOf(':');
                    final String vnode = colon < 0 ? chunk : chunk.substring(0, colon);
                    return host(vnode, hostOf) + chunk.substring(vnode.length());
                })
                .collect(Collectors.joining());
        return renamed.equals(chunks)
                ? job
                : new PbsJob(job.site(), job.object().with("exec_vnode", renamed));
    }

    /** A vnode is named {@code host[index]} unless {@code pbsnodes -av} knows better. */
    private String host(final String vnode, final Map<String, String> hostOf) {
        if (hosts.contains(vnode)) {
            return vnode;
        }
        final String host = hostOf.getOrDefault(vnode, vnode.replaceFirst("\\[[^\\[\\]]*]$", ""));
        return hosts.contains(host) ? host : vnode;
    }
}
