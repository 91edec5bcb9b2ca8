package io.millrace.submit.policy;

import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobStatus;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.Usage;
import io.millrace.submit.clusters.RecentReading;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.policy.BudgetBalances;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.LatestEvents;
import io.millrace.submit.store.job.LocalJobs;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Shows budgets and limits of processor time, and what is left of them. */
@ApplicationScoped
public class ShowBudgets {

    private static final Set<JobStatus> WAITING = EnumSet.of(JobStatus.QUEUED, JobStatus.PREEMPTED, JobStatus.HELD);

    private final LatestEvents facts;
    private final Clusters clusters;
    private final LocalJobs jobs;
    private final Clock clock;
    private final RecentReading<BudgetBalances> recent = new RecentReading<>(Duration.ofSeconds(5), this::balances);

    ShowBudgets(final LatestEvents facts, final Clusters clusters, final LocalJobs jobs, final Clock clock) {
        this.facts = facts;
        this.clusters = clusters;
        this.jobs = jobs;
        this.clock = clock;
    }

    public BudgetBalances balances() {
        return QuarkusTransaction.requiringNew().call(() -> {
            final List<BudgetSet> sets = facts.all(BudgetSet.class);
            return sets.isEmpty()
                    ? new BudgetBalances(List.of(), List.of(), List.of(), List.of(), clock.instant())
                    : new BudgetBalances(
                            sets,
                            facts.all(Charges.class),
                            facts.all(Usage.class),
                            facts.all(QuotaGroup.class),
                            clock.instant());
        });
    }

    /** For many requests; at most a few seconds old. */
    public BudgetBalances recent() {
        return recent.value();
    }

    /** Whether a group has any members. */
    boolean isGroup(final QuotaHolder holder) {
        return QuarkusTransaction.requiringNew().call(() -> facts.all(QuotaGroup.class)).stream()
                .anyMatch(group -> group.group().equals(holder));
    }

    /** The waiting jobs of all clusters, oldest first. */
    List<JobObserved> waiting() {
        return QuarkusTransaction.requiringNew().call(() -> clusters.all()).stream()
                .map(ClusterStatus::marker)
                .flatMap(marker ->
                        QuarkusTransaction.requiringNew().call(() -> jobs.in(marker.cluster(), WAITING)).stream())
                .sorted(Comparator.comparing(job -> job.job().submittedAt()))
                .toList();
    }

    /** Notes about a new job for its owner. */
    public List<String> notes(final UserName user, final JobSpec spec) {
        return recent().notes(user, spec);
    }
}
