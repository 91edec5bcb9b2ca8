package io.millrace.quota.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.Usage;
import io.millrace.model.view.ClusterView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The accounts of one cluster, and its queue. */
final class Accounts {

    private final ClusterId cluster;
    private final QuotaBook quotas;
    private final Map<UserName, Account> byOwner = new LinkedHashMap<>();
    private final List<JobObserved> waiting = new ArrayList<>();

    private Accounts(final ClusterId cluster, final QuotaBook quotas) {
        this.cluster = cluster;
        this.quotas = quotas;
    }

    static Accounts of(final QuotaView view, final Restraint restraint, final Instant now) {
        final Accounts accounts = new Accounts(view.observed().cluster(), view.quotas());
        for (final JobObserved job : view.assumed().jobs()) {
            if (job.state().occupiesCores()) {
                accounts.of(job.owner()).add(occupant(job, view.observed(), restraint, now));
            } else if (!(job.state() instanceof JobState.Unsettled)) {
                accounts.of(job.owner()).addWaiting(job.resources().cores());
                accounts.waiting.add(job);
            }
        }
        accounts.waiting.sort(QUEUE);
        return accounts;
    }

    /** Suspended work first, then what could start, then what somebody holds; each in order of submission. */
    private static final Comparator<JobObserved> QUEUE =
            Comparator.comparingInt(Accounts::turn).thenComparing(JobObserved::job, JobOrder.BY_SUBMISSION);

    private static int turn(final JobObserved job) {
        if (job.state() instanceof JobState.Suspended) {
            return 0;
        }
        return isStartable(job) ? 1 : 2;
    }

    /** whether only Millrace or the scheduler keeps it from starting; other people's holds are never lifted. */
    static boolean isStartable(final JobObserved job) {
        return switch (job.state()) {
            case JobState.Queued queued -> true;
            case JobState.Held held -> held.by() == HoldKind.ENTRY;
            case JobState.Running r -> false;
            case JobState.Suspended s -> false;
            case JobState.Completing c -> false;
            case JobState.Unsettled u -> false;
            case JobState.Unknown u -> false;
        };
    }

    private static Occupant occupant(
            final JobObserved job, final ClusterView observed, final Restraint restraint, final Instant now) {
        if (!(job.state() instanceof JobState.Running running)) {
            return new Occupant(
                    job.job(), job.owner(), job.resources(), job.job().submitted(), List.of(), false, false);
        }
        final JobObserved seen = observed.job(job.job());
        final boolean runs = seen != null && seen.state() instanceof JobState.Running;
        final boolean yields =
                runs && !job.detail().interactive() && !restraint.protects(running.started(), job.restarts(), now);
        return new Occupant(job.job(), job.owner(), job.resources(), running.started(), running.nodes(), runs, yields);
    }

    /** The account of a job that just got its cores by a reclaim: it occupies them, and nobody takes it before it is seen to run. */
    void started(final JobObserved job, final Instant now) {
        waiting.remove(job);
        of(job.owner()).add(new Occupant(job.job(), job.owner(), job.resources(), now, List.of(), false, false));
    }

    Account of(final UserName owner) {
        return byOwner.computeIfAbsent(owner, user -> new Account(user, quotas.coresOf(user, cluster)));
    }

    Collection<Account> all() {
        return byOwner.values();
    }

    /** Jobs that do not occupy cores, in their order. */
    List<JobObserved> waiting() {
        return waiting;
    }

    ClusterId cluster() {
        return cluster;
    }

    Usage usage(final Account account, final ProcessorHours hours) {
        final int guaranteed = account.usedWithinQuota();
        return new Usage(
                cluster,
                account.owner(),
                guaranteed,
                account.used() - guaranteed,
                account.waiting(),
                account.quota(),
                hours.askedHere(account.owner()));
    }
}
