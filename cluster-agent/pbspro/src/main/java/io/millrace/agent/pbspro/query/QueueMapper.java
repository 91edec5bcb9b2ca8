package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps queues to partitions. Queues of reservations are omitted. */
final class QueueMapper {

    /** Represents "no user". An enabled access list without entries admits no user, and PBS runs no jobs of root. */
    private static final UserName NOBODY = UserName.of("root");

    private final ClusterId cluster;
    private final List<PbsObject> queues;
    private final PbsObject server;
    private final List<PbsObject> nodes;

    QueueMapper(
            final ClusterId cluster,
            final List<PbsObject> queues,
            final PbsObject server,
            final List<PbsObject> nodes) {
        this.cluster = cluster;
        this.queues = queues.stream()
                .filter(queue -> !PbsJob.isReservationQueue(queue.name()))
                .toList();
        this.server = server;
        this.nodes = nodes;
    }

    List<PartitionObserved> partitions() {
        return queues.stream().map(this::partition).toList();
    }

    /** Queues without nodes of their own. They share the nodes that are not assigned to a queue. */
    List<PartitionName> shared() {
        return queues.stream()
                .filter(queue -> own(queue).isEmpty())
                .map(queue -> PartitionName.of(queue.name()))
                .sorted()
                .toList();
    }

    private List<PbsObject> own(final PbsObject queue) {
        return nodes.stream()
                .filter(node -> node.get("queue", "").equals(queue.name()))
                .toList();
    }

    private PartitionObserved partition(final PbsObject queue) {
        final List<PbsObject> own = own(queue);
        final int cores = (own.isEmpty()
                        ? nodes.stream().filter(node -> node.get("queue", "").isEmpty())
                        : own.stream())
                .mapToInt(NodeMapper::cores)
                .sum();
        final boolean enabled = queue.is("enabled");
        return new PartitionObserved(
                cluster,
                PartitionName.of(queue.name()),
                enabled && queue.is("started"),
                queue.name().equals(server.get("default_queue", "")),
                cores,
                limit(queue, "resources_max.walltime"),
                new PartitionLimits(
                        enabled,
                        (int) queue.number("resources_min.nodect", 0),
                        figure(queue, "resources_max.nodect"),
                        figure(queue, "resources_max.ncpus"),
                        limit(queue, "resources_default.walltime")),
                access(queue));
    }

    /** The limit of the queue, or else of the server. */
    private @Nullable Duration limit(final PbsObject queue, final String name) {
        return PbsDuration.read(queue.get(name, server.get(name, "")));
    }

    private @Nullable Integer figure(final PbsObject queue, final String name) {
        final long figure = queue.number(name, server.number(name, -1));
        return figure < 0 ? null : (int) figure;
    }

    private static Access access(final PbsObject queue) {
        final Set<UserName> users = new HashSet<>();
        final Set<UserName> deniedUsers = new HashSet<>();
        if (queue.is("acl_user_enable")) {
            for (final Entry entry : Entry.list(queue.get("acl_users", ""))) {
                (entry.allows ? users : deniedUsers).add(UserName.of(entry.name));
            }
            if (users.isEmpty()) {
                users.add(NOBODY);
            }
        }
        final Set<String> groups = new HashSet<>();
        final Set<String> deniedGroups = new HashSet<>();
        if (queue.is("acl_group_enable")) {
            Entry.list(queue.get("acl_groups", ""))
                    .forEach(entry -> (entry.allows ? groups : deniedGroups).add(entry.name));
            if (groups.isEmpty()) {
                groups.add(NOBODY.value());
            }
        }
        return new Access(users, groups, Set.of(), deniedUsers, deniedGroups, Set.of());
    }

    /** An entry of an access list: {@code alice@*}, {@code +bob}, {@code -carol@login.site.org}. */
    private record Entry(boolean allows, String name) {
        private static List<Entry> list(final String list) {
            return Arrays.stream(list.split(","))
                    .map(String::strip)
                    .map(item -> new Entry(
                            !item.startsWith("-"),
                            item.replaceFirst("^[+-]", "").replaceFirst("@[^@]*$", "")))
                    .filter(entry -> entry.name.matches("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.@+-]{0,127}"))
                    .toList();
        }
    }
}
