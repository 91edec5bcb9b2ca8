package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The results of the four queries of one observation. */
public record ClusterSnapshot(
        ClusterId cluster,
        PbsObject server,
        List<TorqueJob> queue,
        List<PbsObject> nodes,
        List<PbsObject> queues,
        WaitingArrayTasks tasks) {

    public Observation observation(final Instant at) {
        final Control control = ServerQuery.control(server);
        final List<TorqueNode> hosts = nodes.stream().map(TorqueNode::new).toList();
        final List<TorqueQueue> lines = queues.stream().map(TorqueQueue::new).toList();
        return new Observation(at, control, jobs(control, at), nodes(hosts, lines), partitions(hosts, lines));
    }

    private List<JobObserved> jobs(final Control control, final Instant at) {
        final Set<String> hosts = new HashSet<>();
        nodes.forEach(node -> hosts.add(node.name()));
        final List<ReportedJob> shown =
                tasks.group(queue.stream().filter(job -> !job.isCompleted()).toList(), control, at);
        tasks.recordReported(shown);
        return shown.stream()
                .map(job -> JobMapper.of(cluster, job, control, at, hosts))
                .toList();
    }

    private List<NodeObserved> nodes(final List<TorqueNode> hosts, final List<TorqueQueue> lines) {
        final Map<String, TorqueJob> byId = new HashMap<>();
        queue.forEach(job -> byId.put(job.localId(), job));
        return hosts.stream()
                .map(host -> host.observed(cluster, byId, partitionsOf(host, lines)))
                .toList();
    }

    private static List<PartitionName> partitionsOf(final TorqueNode host, final List<TorqueQueue> lines) {
        return lines.stream()
                .filter(line -> line.contains(host))
                .map(TorqueQueue::name)
                .sorted()
                .toList();
    }

    private List<PartitionObserved> partitions(final List<TorqueNode> hosts, final List<TorqueQueue> lines) {
        final String standard = server.get("default_queue", "").strip();
        return lines.stream()
                .map(line -> line.observed(cluster, hosts, standard))
                .toList();
    }
}
