package io.millrace.embedded;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/**
 * The controllers of a Kafka cluster, in which every node is broker and controller, and one node among them. A cluster of three nodes keeps
 * three copies of each record, confirms a write when two nodes have it, and works while two nodes run.
 *
 * @param node this node's id: its place in the list, from 1
 * @param controllers address of each node's controller; the same list and order for all nodes, and at each start of a cluster of several
 */
record Quorum(int node, List<String> controllers) {

    /** Longer than a busy machine leaves a process without processor time. A broker gives up registering itself after a minute. */
    private static final Duration LONE_SESSION = Duration.ofSeconds(30);

    Quorum {
        controllers = List.copyOf(controllers);
        if (node < 1 || node > controllers.size()) {
            throw new IllegalArgumentException(
                    "node " + node + " is not one of the " + controllers.size() + " nodes of the cluster");
        }
    }

    /** A cluster of one node. */
    static Quorum alone(int controllerPort) {
        return new Quorum(1, List.of("127.0.0.1:" + controllerPort));
    }

    /** Where the other nodes reach this node's controller. */
    String address() {
        return controllers.get(node - 1);
    }

    /** The id with which the folder of a new node is formatted: nodes with the same controllers have the same one. */
    Uuid clusterId() {
        UUID id = UUID.nameUUIDFromBytes(String.join(",", controllers).getBytes(StandardCharsets.UTF_8));
        // Without the first bit the text does not begin with '-', which the storage tool would read as an option.
        return new Uuid(id.getMostSignificantBits() >>> 1, id.getLeastSignificantBits());
    }

    /** The settings of the node that depend on the cluster. */
    Map<String, String> settings() {
        int copies = controllers.size();
        String replication = Integer.toString(copies);
        String inSync = Integer.toString(Math.max(1, copies - 1));
        Map<String, String> settings = new HashMap<>();
        settings.put("node.id", Integer.toString(node));
        // The voters are configured here and not stored in the log, because the controller's port can change at each
        // start of a single node.
        settings.put("controller.quorum.voters", voters());
        settings.put("default.replication.factor", replication);
        settings.put("min.insync.replicas", inSync);
        settings.put("offsets.topic.replication.factor", replication);
        settings.put("transaction.state.log.replication.factor", replication);
        settings.put("transaction.state.log.min.isr", inSync);
        if (copies == 1) {
            // No other node could take over from a broker whose heartbeats are late. Its controller would only take
            // the leadership of all partitions from it and give it back, and each group coordinator would be loaded
            // twice (EmbeddedKafka.fence).
            settings.put("broker.session.timeout.ms", Long.toString(LONE_SESSION.toMillis()));
        } else {
            // A restarted node leads its share of the partitions again soon (default: 300 s), so that the next failure
            // of any node matters.
            settings.put("leader.imbalance.check.interval.seconds", "10");
        }
        return settings;
    }

    private String voters() {
        return IntStream.range(0, controllers.size())
                .mapToObj(at -> (at + 1) + "@" + controllers.get(at))
                .collect(Collectors.joining(","));
    }
}
