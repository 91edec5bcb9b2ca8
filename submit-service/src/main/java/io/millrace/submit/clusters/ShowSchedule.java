package io.millrace.submit.clusters;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.ScheduledJob;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.job.LocalJobs;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Shows running jobs with their ends and waiting jobs with their predicted starts, as for a Gantt chart. */
@ApplicationScoped
public class ShowSchedule {

    private static final Comparator<ScheduledJob> BY_START = Comparator.comparing(ScheduledJob::from)
            .thenComparing(bar -> bar.job().job().toString());

    private final Clusters clusters;
    private final LocalJobs jobs;
    private final LatestEvents facts;

    ShowSchedule(final Clusters clusters, final LocalJobs jobs, final LatestEvents facts) {
        this.clusters = clusters;
        this.jobs = jobs;
        this.facts = facts;
    }

    /**
     * @param jobs ordered by start
     * @param truncated whether the cluster has more jobs than the limit
     */
    public record Schedule(RevisionClosed marker, List<ScheduledJob> jobs, boolean truncated) {}

    /** All jobs of a cluster; the REST layer hides owners that the caller may not see. */
    @Transactional
    public Schedule of(final ClusterId cluster, final int limit) {
        final RevisionClosed marker = clusters.find(cluster)
                .orElseThrow(() -> RequestRefused.notFound("cluster '" + cluster + "' not found"))
                .marker();
        final List<JobObserved> seen = jobs.of(cluster, null, null, limit);
        final List<String> keys = seen.stream().map(job -> job.job().toString()).toList();
        final Map<String, Plan> plans = facts.bySubject(keys, Plan.class).stream()
                .filter(plan -> plan.issuer() == Issuer.BACKFILL)
                .collect(Collectors.toMap(plan -> plan.job().toString(), Function.identity(), (one, other) -> other));
        final List<ScheduledJob> bars = seen.stream()
                .flatMap(job -> ScheduledJob.of(job, plans.get(job.job().toString())).stream())
                .sorted(BY_START)
                .toList();
        return new Schedule(marker, bars, seen.size() == limit);
    }

    /** Whether the caller may see the owner of the job. */
    public static boolean maySee(final Caller caller, final ScheduledJob bar) {
        return caller.operator() || bar.job().owner().equals(caller.user());
    }
}
