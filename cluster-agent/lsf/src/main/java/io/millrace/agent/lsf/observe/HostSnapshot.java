package io.millrace.agent.lsf.observe;

import io.millrace.agent.lsf.query.GpuQuery;
import io.millrace.agent.lsf.query.HostHardware;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.LsfHost;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Converts hosts and queues to {@link NodeObserved} and {@link PartitionObserved}.
 *
 * @param groups hosts by host group
 */
public record HostSnapshot(
        ClusterId cluster,
        List<LsfHost> hosts,
        Map<String, HostHardware> hardware,
        Map<String, GpuQuery.Gpus> gpus,
        Map<String, Set<String>> groups) {

    /** @param running the running jobs: LSF reports reserved memory only by job */
    public List<NodeObserved> nodes(final Collection<LsfQueue> queues, final Collection<ListedJob> running) {
        final Map<String, Long> reserved = reserved(running);
        return hosts.stream()
                .map(host -> node(host, queues, reserved.getOrDefault(host.name(), 0L)))
                .toList();
    }

    private static Map<String, Long> reserved(final Collection<ListedJob> running) {
        return running.stream()
                .filter(job ->
                        !job.isWaiting() && !job.hasEnded() && !job.hosts().isEmpty())
                .flatMap(job -> job.hosts().stream()
                        .map(host -> Map.entry(
                                host,
                                job.request().resources().memoryMib()
                                        / Math.max(1, job.request().resources().nodes()))))
                .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.summingLong(Map.Entry::getValue)));
    }

    private NodeObserved node(final LsfHost host, final Collection<LsfQueue> queues, final long reserved_mib) {
        final HostHardware machine = hardware.getOrDefault(host.name(), new HostHardware(host.name(), 0, 0, List.of()));
        final GpuQuery.Gpus cards = gpus.getOrDefault(host.name(), new GpuQuery.Gpus(0, 0));
        final int slots = slots(host);
        final int free = host.acceptsJobs() ? Math.max(0, slots - host.usedSlots()) : 0;
        final boolean up = host.availability() == Availability.UP;
        return new NodeObserved(
                cluster,
                NodeName.of(host.name()),
                host.availability(),
                new Resources(slots, 1, machine.memoryMib(), cards.total()),
                up
                        ? new Resources(
                                free,
                                free > 0 && free == slots ? 1 : 0,
                                Math.max(0, machine.memoryMib() - reserved_mib),
                                cards.total() - cards.used())
                        : Resources.NONE,
                host.reason(),
                machine.features(),
                queues.stream()
                        .filter(queue -> hostNames(queue).contains(host.name()))
                        .map(queue -> PartitionName.of(queue.name()))
                        .sorted()
                        .toList());
    }

    /** The same hosts with other uses. */
    public HostSnapshot with(final List<LsfHost> other) {
        return new HostSnapshot(cluster, other, hardware, gpus, groups);
    }

    /** The named resources of a host, its type and its model. */
    public List<String> features(final LsfHost host) {
        final HostHardware machine = hardware.get(host.name());
        return machine == null ? List.of() : machine.features();
    }

    public int slots(final LsfHost host) {
        if (host.slots() != null) {
            return host.slots();
        }
        final HostHardware machine = hardware.get(host.name());
        return machine == null ? 0 : machine.processors();
    }

    public PartitionObserved partition(final LsfQueue queue, final boolean isDefault, final boolean shut) {
        final Set<String> names = hostNames(queue);
        return new PartitionObserved(
                cluster,
                PartitionName.of(queue.name()),
                queue.acceptsJobs() && !queue.windowClosed() && (!queue.inactive() || shut),
                isDefault,
                hosts.stream()
                        .filter(host -> names.contains(host.name()))
                        .mapToInt(this::slots)
                        .sum(),
                queue.runLimit(),
                new PartitionLimits(queue.acceptsJobs(), 0, null, queue.maxSlots(), queue.defaultRunLimit()),
                access(queue));
    }

    /** The hosts of a queue: {@code hostA+2 groupB/ others ~hostC}; an empty list means all. */
    public Set<String> hostNames(final LsfQueue queue) {
        final Set<String> all = hosts.stream().map(LsfHost::name).collect(Collectors.toSet());
        if (queue.hosts().isEmpty()) {
            return all;
        }
        final Set<String> names = new HashSet<>();
        final Set<String> excluded = new HashSet<>();
        for (final String word : queue.hosts()) {
            final boolean negated = word.startsWith("~");
            final String name = word.replaceAll("^~|(?s)[+!].*", "").replaceAll("/$", "");
            final Set<String> meant =
                    name.equals("all") || name.equals("others") ? all : groups.getOrDefault(name, Set.of(name));
            (negated ? excluded : names).addAll(meant.contains("all") ? all : meant);
        }
        names.removeAll(excluded);
        names.retainAll(all);
        return names;
    }

    /** Who may use a queue. A user group of LSF ends with a slash. */
    private static Access access(final LsfQueue queue) {
        final Set<UserName> users = new TreeSet<>();
        final Set<UserName> denied = new TreeSet<>();
        final Set<String> userGroups = new TreeSet<>();
        final Set<String> deniedGroups = new TreeSet<>();
        for (final String word : queue.users()) {
            final boolean negated = word.startsWith("~");
            final String name = negated ? word.substring(1) : word;
            if (name.endsWith("/")) {
                (negated ? deniedGroups : userGroups).add(name.substring(0, name.length() - 1));
            } else if (!name.equals("all")) {
                (negated ? denied : users).add(NameMapping.user(name));
            }
        }
        return new Access(users, userGroups, Set.of(), denied, deniedGroups, Set.of(), null, null);
    }
}
