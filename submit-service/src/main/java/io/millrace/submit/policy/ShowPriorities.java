package io.millrace.submit.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.job.JobStatus;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.policy.JobRanking;
import io.millrace.submit.domain.policy.KnownPartitions;
import io.millrace.submit.domain.policy.KnownPartitions.Known;
import io.millrace.submit.domain.policy.PreviewRules;
import io.millrace.submit.domain.policy.PriorityPreview;
import io.millrace.submit.domain.policy.PriorityRulesState;
import io.millrace.submit.domain.policy.WaitingJob;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.job.LocalJobs;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows the priority rules and the resulting order of waiting jobs. */
@ApplicationScoped
public class ShowPriorities {

    private static final Set<JobStatus> WAITING =
            EnumSet.of(JobStatus.QUEUED, JobStatus.PREEMPTED, JobStatus.HELD, JobStatus.SUSPENDED);

    private final Clusters clusters;
    private final LocalJobs jobs;
    private final LatestEvents facts;
    private final Clock clock;

    ShowPriorities(final Clusters clusters, final LocalJobs jobs, final LatestEvents facts, final Clock clock) {
        this.clusters = clusters;
        this.jobs = jobs;
        this.facts = facts;
        this.clock = clock;
    }

    @Transactional
    public PriorityRulesState rules() {
        return new PriorityRulesState(
                facts.find(Topic.QUOTAS, PriorityRulesSet.KEY, PriorityRulesSet.class)
                        .orElse(null),
                facts.find(Topic.REQUESTS, PriorityRulesSet.KEY, PriorityRulesRequested.class)
                        .orElse(null));
    }

    /**
     * The waiting jobs of all users by cluster, in order.
     *
     * @param cluster null: all clusters
     * @param preview rules for a preview
     * @throws RequestRefused if the cluster or an opened partition does not exist
     */
    @Transactional
    public List<JobRanking.Ranked> ranking(final @Nullable ClusterId cluster, final PreviewRules preview) {
        if (cluster != null && clusters.find(cluster).isEmpty()) {
            throw RequestRefused.notFound("cluster '" + cluster + "' not found");
        }
        final PriorityRules inForce = rules().rules();
        final KnownPartitions known = partitions();
        if (preview.overflow() != null) {
            known.requireKnown(preview.overflow(), inForce.overflowRules());
        }
        return known.clusters().entrySet().stream()
                .filter(each -> cluster == null || each.getKey().equals(cluster))
                .flatMap(each ->
                        JobRanking.of(waiting(each.getKey()), whatIf(preview, inForce, each.getValue())).stream())
                .toList();
    }

    private PriorityPreview whatIf(final PreviewRules preview, final PriorityRules inForce, final Known cluster) {
        return new PriorityPreview(
                preview,
                inForce,
                cluster.partitions(),
                preview.classes_percent() == null
                        ? job -> List.of()
                        : classes(cluster.marker().cluster()),
                clock.instant());
    }

    private Function<JobKey, List<String>> classes(final ClusterId cluster) {
        final Map<String, List<String>> classes = facts.of(cluster, Classified.class).stream()
                .collect(Collectors.toMap(Classified::key, Classified::classes));
        return job -> classes.getOrDefault(job.toString(), List.of());
    }

    @Transactional
    public KnownPartitions partitions() {
        final Map<ClusterId, Set<PartitionName>> partitions = facts.all(PartitionObserved.class).stream()
                .collect(Collectors.groupingBy(
                        PartitionObserved::cluster,
                        Collectors.mapping(PartitionObserved::partition, Collectors.toSet())));
        return KnownPartitions.of(clusters.all().stream()
                .map(ClusterStatus::marker)
                .map(marker -> new Known(marker, new TreeSet<>(partitions.getOrDefault(marker.cluster(), Set.of())))));
    }

    /** Jobs with an entitlement; a newly observed job gets one with the next plan. */
    private List<WaitingJob> waiting(final ClusterId cluster) {
        final Map<JobKey, Entitlement> entitlements = facts.of(cluster, Entitlement.class).stream()
                .collect(Collectors.toMap(Entitlement::job, Function.identity()));
        return jobs.in(cluster, WAITING).stream()
                .flatMap(job -> Optional.ofNullable(entitlements.get(job.job())).stream()
                        .map(entitlement -> new WaitingJob(job, entitlement)))
                .toList();
    }
}
