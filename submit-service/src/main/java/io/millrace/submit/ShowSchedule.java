package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import io.millrace.submit.domain.Bar;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.Refused;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.Facts;
import io.millrace.submit.store.LocalJobs;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What runs on a cluster until when, and what is foreseen to: the data of a Gantt chart. */
@ApplicationScoped
public class ShowSchedule {

    private static final Comparator<Bar> BY_START =
            Comparator.comparing(Bar::from).thenComparing(bar -> bar.job().job().toString());

    private final Clusters clusters;
    private final LocalJobs jobs;
    private final Facts facts;

    ShowSchedule(final Clusters clusters, final LocalJobs jobs, final Facts facts) {
        this.clusters = clusters;
        this.jobs = jobs;
        this.facts = facts;
    }

    /**
     * @param bars in the order of their beginning
     * @param more whether the cluster has more jobs than were looked at
     */
    public record Schedule(RevisionClosed marker, List<Bar> bars, boolean more) {}

    /** Everybody sees when cores are occupied; whose jobs these are is the caller's to ask. */
    @Transactional
    public Schedule of(final ClusterId cluster, final int limit) {
        final RevisionClosed marker = clusters.find(cluster)
                .orElseThrow(() -> Refused.notFound("there is no cluster '" + cluster + "'"))
                .marker();
        final List<JobObserved> seen = jobs.of(cluster, null, null, limit);
        final List<String> keys = seen.stream().map(job -> job.job().toString()).toList();
        final Map<String, Plan> plans = facts.about(keys, Plan.class).stream()
                .filter(plan -> plan.issuer() == Issuer.BACKFILL)
                .collect(Collectors.toMap(plan -> plan.job().toString(), Function.identity(), (one, other) -> other));
        final List<Bar> bars = seen.stream()
                .flatMap(job -> Bar.of(job, plans.get(job.job().toString())).stream())
                .sorted(BY_START)
                .toList();
        return new Schedule(marker, bars, seen.size() == limit);
    }

    /** Whether the caller may see whose job it is. */
    public static boolean maySee(final Caller caller, final Bar bar) {
        return caller.operator() || bar.job().owner().equals(caller.user());
    }
}
