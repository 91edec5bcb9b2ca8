package io.millrace.quota.domain.account;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.quota.domain.preemption.AccountKey;
import io.millrace.quota.domain.preemption.AllocatedJob;
import io.millrace.quota.domain.preemption.PreemptModes;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.VictimOrder;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The accounts of one cluster and its waiting jobs. */
public final class QuotaAccounts {

    private final ClusterId cluster;
    private final EffectiveQuotas quotas;
    private final boolean coupled;

    private final Map<AccountKey, QuotaAccount> byKey = new LinkedHashMap<>();
    private final List<AccountJob> waiting = new ArrayList<>();

    private QuotaAccounts(final QuotaView view, final Instant now) {
        this.cluster = view.observed().cluster();
        this.quotas = new EffectiveQuotas(cluster, view.quotas(), view.centre(), now);
        this.coupled = !view.quotas().isPlain();
    }

    public static QuotaAccounts of(
            final QuotaView view,
            final ProcessorHourCheck hours,
            final PreemptionLimits preemptionLimits,
            final PreemptModes modes,
            final Instant now) {
        final QuotaAccounts accounts = new QuotaAccounts(view, now);
        for (final JobObserved job : view.assumed().jobs()) {
            if (job.state().occupiesCores()) {
                final QuotaAccount account = accounts.of(job);
                account.add(allocated(job, account.key(), view, preemptionLimits, modes, now));
                account.addRequested(hours.running(job));
            } else if (!(job.state() instanceof JobState.Unsettled)) {
                final QuotaAccount account = accounts.of(job);
                account.addWaiting(job.resources().cores());
                accounts.waiting.add(new AccountJob(job, account));
            }
        }
        hours.count(accounts);
        accounts.waiting.sort(AccountJob.QUEUE);
        accounts.claimOldestFirst();
        return accounts;
    }

    /** older jobs claim from shared quotas before newer jobs. */
    private void claimOldestFirst() {
        if (!coupled) {
            return;
        }
        final Comparator<AllocatedJob> oldestFirst =
                VictimOrder.OLDEST_FIRST.comparator().thenComparing(AllocatedJob::job, JobKey.BY_SUBMISSION);
        byKey.values().stream()
                .flatMap(account -> account.jobs().stream())
                .sorted(oldestFirst)
                .forEach(allocated -> of(allocated).claim(allocated));
        byKey.values().forEach(QuotaAccount::refresh);
    }

    private static AllocatedJob allocated(
            final JobObserved job,
            final AccountKey accountKey,
            final QuotaView view,
            final PreemptionLimits preemptionLimits,
            final PreemptModes modes,
            final Instant now) {
        if (!(job.state() instanceof JobState.Running running)) {
            return AllocatedJob.notPreemptible(
                    job.job(), accountKey, job.resources(), job.job().submittedAt());
        }
        final boolean runs = isSeenRunning(job, view);
        final boolean unprotected = runs
                && !job.detail().interactive()
                && !preemptionLimits.protects(running.startedAt(), job.restarts(), now);
        final AllocatedJob allocated = new AllocatedJob(
                job.job(),
                accountKey,
                job.resources(),
                job.detail().placement(),
                running.startedAt(),
                running.nodes(),
                runs,
                unprotected,
                job.checkpoint(),
                job.detail().rerunnable());
        return unprotected && !modes.areAny(allocated, modes.leastRelease())
                ? allocated.withoutPreemption()
                : allocated;
    }

    /** False for a job that only a pending command assumes to run. */
    private static boolean isSeenRunning(final JobObserved assumed, final QuotaView view) {
        if (view.assumed().commanded().isEmpty() || !view.assumed().commanded().contains(assumed.job())) {
            return true;
        }
        final JobObserved seen = view.observed().job(assumed.job());
        return seen != null && seen.state() instanceof JobState.Running;
    }

    /** Counts a job that will start. It cannot be preempted until it is observed running. */
    public void started(final JobObserved job, final Instant now) {
        final AllocatedJob allocated =
                AllocatedJob.notPreemptible(job.job(), quotas.accountOf(job), job.resources(), now);
        final QuotaAccount account = of(job);
        account.add(allocated);
        if (coupled) {
            account.claim(allocated);
        }
    }

    /** Recomputes all quotas after claims. */
    public void refresh() {
        byKey.values().forEach(QuotaAccount::refresh);
    }

    /** The account of this job. */
    public QuotaAccount of(final JobObserved job) {
        return of(quotas.accountOf(job));
    }

    public QuotaAccount of(final AllocatedJob allocated) {
        return of(allocated.account());
    }

    private QuotaAccount of(final AccountKey accountKey) {
        return byKey.computeIfAbsent(accountKey, key -> new QuotaAccount(key, quotas.cores(key), quotas.gpus(key)));
    }

    /** Whether the use of one account can change the quota of another. */
    public boolean areCoupled() {
        return coupled;
    }

    /** Quotas of this cluster that limit lending. */
    List<QuotaBalance> lendingLimits() {
        return quotas.lendingLimits();
    }

    public Collection<QuotaAccount> all() {
        return byKey.values();
    }

    /** Jobs that do not occupy cores, in queue order. */
    public List<AccountJob> waiting() {
        return waiting;
    }

    ClusterId cluster() {
        return cluster;
    }
}
