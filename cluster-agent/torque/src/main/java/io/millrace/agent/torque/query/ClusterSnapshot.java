package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.ReadJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Control;
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
        final ReadJobs read = jobs(control, at);
        return new Observation(
                at, control, read.jobs(), nodes(hosts, lines), partitions(hosts, lines), unreadable(read));
    }

    private ReadJobs jobs(final Control control, final Instant at) {
        final Set<String> hosts = new HashSet<>();
        nodes.forEach(node -> hosts.add(node.name()));
        final List<ReportedJob> shown = tasks.group(
                queue.stream().filter(job -> !job.isCompleted() && job.hasKey()).toList(), control, at);
        tasks.recordReported(shown);
        return ReadJobs.of(shown, job -> job.job().localId(), job -> JobMapper.of(cluster, job, control, at, hosts));
    }

    private Set<String> unreadable(final ReadJobs read) {
        final Set<String> unreadable = new HashSet<>(read.unreadable());
        queue.stream().filter(job -> !job.hasKey()).map(TorqueJob::localId).forEach(unreadable::add);
        return unreadable;
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
