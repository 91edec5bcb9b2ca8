package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.clusters.RecentReading;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.submission.ClusterOffer;
import io.millrace.submit.domain.submission.Feasibility;
import io.millrace.submit.domain.submission.UnlistedNames;
import io.millrace.submit.identity.Projects;
import io.millrace.submit.policy.ShowBudgets;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.LatestEvents;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Refuses jobs that no cluster can ever run. What the clusters offer is read at most every few seconds, and read again, with all nodes,
 * before a job is refused.
 */
@ApplicationScoped
public class CheckFeasibility {

    private final Clusters clusters;
    private final LatestEvents facts;
    private final Projects projects;
    private final ShowBudgets budgets;
    private final RecentReading<List<ClusterOffer>> recent =
            new RecentReading<>(Duration.ofSeconds(5), () -> read(false));

    private final RecentReading<List<ClusterOffer>> recentWithNodes =
            new RecentReading<>(Duration.ofSeconds(5), () -> read(true));

    CheckFeasibility(
            final Clusters clusters, final LatestEvents facts, final Projects projects, final ShowBudgets budgets) {
        this.clusters = clusters;
        this.facts = facts;
        this.projects = projects;
        this.budgets = budgets;
    }

    /**
     * @return notes for the owner: options of the script that are left out, names that may be misspelt, and budgets that do not cover it
     * @throws RequestRefused if no cluster can ever run the job
     */
    List<String> check(final JobSubmitted job) {
        final boolean needsNodes = !job.requested().features().isEmpty();
        Feasibility feasibility = Feasibility.of(job, needsNodes ? recentWithNodes.value() : recent.value());
        if (feasibility.refusal().isPresent()) {
            feasibility = Feasibility.of(job, read(true));
        }
        feasibility.refusal().ifPresent(reason -> {
            throw new RequestRefused(RequestRefused.Kind.INVALID, reason);
        });
        return Stream.of(feasibility.notes(), unlistedNames(job), budgets.notes(job.owner(), job.spec()))
                .flatMap(List::stream)
                .toList();
    }

    /** Notes about names that may be misspelt. */
    List<String> unlistedNames(final JobSubmitted job) {
        final ProjectName project = job.spec().project();
        return UnlistedNames.notes(job, recent.value(), project == null || projects.isListed(project));
    }

    private List<ClusterOffer> read(final boolean withNodes) {
        return QuarkusTransaction.requiringNew().call(() -> {
            final Map<ClusterId, List<PartitionObserved>> partitions = facts.all(PartitionObserved.class).stream()
                    .collect(Collectors.groupingBy(PartitionObserved::cluster));
            final Map<ClusterId, List<NodeObserved>> nodes = withNodes
                    ? facts.all(NodeObserved.class).stream().collect(Collectors.groupingBy(NodeObserved::cluster))
                    : Map.of();
            final Map<ClusterId, SiteMappingObserved> siteMappings = facts.all(SiteMappingObserved.class).stream()
                    .collect(Collectors.toMap(SiteMappingObserved::cluster, Function.identity()));
            final Map<ClusterId, ClusterConditions> conditions = facts.all(ClusterConditions.class).stream()
                    .collect(Collectors.toMap(ClusterConditions::cluster, Function.identity()));
            return clusters.all().stream()
                    .map(ClusterStatus::marker)
                    .map(marker -> new ClusterOffer(
                            marker,
                            partitions.getOrDefault(marker.cluster(), List.of()),
                            nodes.getOrDefault(marker.cluster(), List.of()),
                            siteMappings.get(marker.cluster()),
                            conditions.getOrDefault(marker.cluster(), ClusterConditions.unknown(marker.cluster()))))
                    .toList();
        });
    }
}
