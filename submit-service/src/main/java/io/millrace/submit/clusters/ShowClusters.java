package io.millrace.submit.clusters;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.QueueCount;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.job.LocalJobs;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows clusters and their queues. */
@ApplicationScoped
public class ShowClusters {

    private final Clusters clusters;
    private final LocalJobs jobs;
    private final LatestEvents facts;

    ShowClusters(final Clusters clusters, final LocalJobs jobs, final LatestEvents facts) {
        this.clusters = clusters;
        this.jobs = jobs;
        this.facts = facts;
    }

    public record ClusterDetails(
            ClusterStatus status,
            List<QueueCount> queue,
            List<PartitionObserved> partitions,
            List<NodeObserved> nodes,
            @Nullable SiteMappingObserved siteMapping,
            ClusterConditions conditions,
            @Nullable ClusterAvailability availability) {}

    public record LocalJobDetails(JobObserved job, @Nullable Entitlement entitlement, List<Plan> plans) {}

    /**
     * @param jobs the jobs that the caller may see
     * @param others the other jobs, counted by state
     */
    public record Queue(List<LocalJobDetails> jobs, List<QueueCount> others) {}

    @Transactional
    public List<ClusterDetails> all() {
        final Map<ClusterId, List<QueueCount>> counts =
                jobs.counts(null, null).stream().collect(Collectors.groupingBy(QueueCount::cluster));
        final Map<ClusterId, List<PartitionObserved>> partitions =
                facts.all(PartitionObserved.class).stream().collect(Collectors.groupingBy(PartitionObserved::cluster));
        final Map<ClusterId, List<NodeObserved>> nodes =
                facts.all(NodeObserved.class).stream().collect(Collectors.groupingBy(NodeObserved::cluster));
        final Map<ClusterId, SiteMappingObserved> siteMappings = facts.all(SiteMappingObserved.class).stream()
                .collect(Collectors.toMap(SiteMappingObserved::cluster, Function.identity()));
        final Map<ClusterId, ClusterConditions> conditions = facts.all(ClusterConditions.class).stream()
                .collect(Collectors.toMap(ClusterConditions::cluster, Function.identity()));
        final Map<ClusterId, ClusterAvailability> availability = facts.all(ClusterAvailability.class).stream()
                .collect(Collectors.toMap(ClusterAvailability::cluster, Function.identity()));
        return clusters.all().stream()
                .map(status -> new ClusterDetails(
                        status,
                        counts.getOrDefault(status.marker().cluster(), List.of()),
                        partitions.getOrDefault(status.marker().cluster(), List.of()),
                        nodes.getOrDefault(status.marker().cluster(), List.of()),
                        siteMappings.get(status.marker().cluster()),
                        conditions.getOrDefault(
                                status.marker().cluster(),
                                ClusterConditions.unknown(status.marker().cluster())),
                        availability.get(status.marker().cluster())))
                .toList();
    }

    @Transactional
    public Queue queue(final Caller caller, final ClusterId cluster, final @Nullable JobKey after, final int limit) {
        if (clusters.find(cluster).isEmpty()) {
            throw RequestRefused.notFound("cluster '" + cluster + "' not found");
        }
        final UserName owner = caller.operator() ? null : caller.user();
        final List<JobObserved> visible = jobs.of(cluster, owner, after, limit);
        final List<String> keys =
                visible.stream().map(job -> job.job().toString()).toList();
        final Map<JobKey, Entitlement> entitlements = facts.bySubject(keys, Entitlement.class).stream()
                .collect(Collectors.toMap(Entitlement::job, Function.identity()));
        final Map<String, List<Plan>> plans = facts.bySubject(keys, Plan.class).stream()
                .collect(Collectors.groupingBy(plan -> plan.job().toString()));
        return new Queue(
                visible.stream()
                        .map(job -> new LocalJobDetails(
                                job,
                                entitlements.get(job.job()),
                                plans.getOrDefault(job.job().toString(), List.of())))
                        .toList(),
                caller.operator() ? List.of() : jobs.counts(cluster, owner));
    }
}
