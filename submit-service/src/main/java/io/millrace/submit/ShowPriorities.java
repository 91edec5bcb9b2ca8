package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.PrioritySet;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.Request.PriorityAsked;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.domain.Ranking;
import io.millrace.submit.domain.Refused;
import io.millrace.submit.domain.ShownPriority;
import io.millrace.submit.domain.WaitingJob;
import io.millrace.submit.domain.Words;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.Facts;
import io.millrace.submit.store.LocalJobs;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules of priority, and the order they make of the jobs that wait. */
@ApplicationScoped
public class ShowPriorities {

    private final Clusters clusters;
    private final LocalJobs jobs;
    private final Facts facts;

    ShowPriorities(final Clusters clusters, final LocalJobs jobs, final Facts facts) {
        this.clusters = clusters;
        this.jobs = jobs;
        this.facts = facts;
    }

    @Transactional
    public ShownPriority rules() {
        return new ShownPriority(
                facts.find(Topic.QUOTAS, PrioritySet.KEY, PrioritySet.class).orElse(null),
                facts.find(Topic.REQUESTS, PrioritySet.KEY, PriorityAsked.class).orElse(null));
    }

    /**
     * Everybody's waiting jobs by cluster, in order.
     *
     * @param cluster null: all
     * @param tried weights to try; empty: those in force
     */
    @Transactional
    public List<Ranking.Ranked> ranking(final @Nullable ClusterId cluster, final Map<PriorityTerm, Integer> tried) {
        if (cluster != null && clusters.find(cluster).isEmpty()) {
            throw Refused.notFound("there is no cluster '" + cluster + "'");
        }
        return clusters.all().stream()
                .map(heard -> heard.marker().cluster())
                .filter(id -> cluster == null || id.equals(cluster))
                .sorted()
                .flatMap(id -> Ranking.of(waiting(id), tried).stream())
                .toList();
    }

    /** Jobs that have a right; one that was just observed gets it with the next plan. */
    private List<WaitingJob> waiting(final ClusterId cluster) {
        final Map<JobKey, Entitlement> rights = facts.of(cluster, Entitlement.class).stream()
                .collect(Collectors.toMap(Entitlement::job, Function.identity()));
        return jobs.in(cluster, Words.WAITING).stream()
                .flatMap(job ->
                        Optional.ofNullable(rights.get(job.job())).stream().map(right -> new WaitingJob(job, right)))
                .toList();
    }
}
