package io.millrace.quota.domain.account;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.quota.Usage;
import io.millrace.model.quota.Usage.ProjectUse;
import io.millrace.quota.domain.priority.DecayedUsage;
import io.millrace.quota.domain.view.QuotaView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The usage of each user on one cluster, for publication. */
public final class ClusterUsage {

    private ClusterUsage() {}

    /** The usage of users with jobs, and of users with past use that still counts. */
    public static Map<UserName, Usage> of(
            final QuotaView view,
            final QuotaAccounts accounts,
            final ProcessorHourCheck hours,
            final DecayedUsage used) {
        final Map<UserName, List<ProjectUse>> projects = byProject(view);
        final Map<UserName, Usage> usage = new LinkedHashMap<>();
        for (final QuotaAccount account : accounts.all()) {
            usage.merge(
                    account.owner(), of(account, accounts, projects.get(account.owner()), hours), ClusterUsage::sum);
        }
        final Map<UserName, Usage> before = view.priority().before();
        before.forEach((user, figures) -> {
            if (!used.isNegligible(figures)) {
                usage.putIfAbsent(user, new Usage(figures.cluster(), user, 0, 0, 0, figures.quotaCores(), 0));
            }
        });
        usage.replaceAll((user, figures) -> figures.with(used.published(figures.cores(), before.get(user))));
        return usage;
    }

    private static Usage of(
            final QuotaAccount account,
            final QuotaAccounts accounts,
            final @Nullable List<ProjectUse> projects,
            final ProcessorHourCheck hours) {
        final int guaranteed = account.usedWithinQuota();
        final long queued = hours.queuedHere_core_s(account.owner());
        return new Usage(
                accounts.cluster(),
                account.owner(),
                guaranteed,
                account.used() - guaranteed,
                account.waiting(),
                account.quota(),
                hours.requestedHere_core_s(account.owner()),
                null,
                account.usedGpus() == 0 ? null : account.usedGpus(),
                projects,
                queued == 0 ? null : queued);
    }

    /** Adds two accounts of the same user. */
    private static Usage sum(final Usage one, final Usage other) {
        final int gpus = one.usedGpus() + other.usedGpus();
        return new Usage(
                one.cluster(),
                one.user(),
                one.guaranteedCores() + other.guaranteedCores(),
                one.borrowedCores() + other.borrowedCores(),
                one.waitingCores() + other.waitingCores(),
                Math.max(one.quotaCores(), other.quotaCores()),
                one.requestedCoreSeconds(),
                null,
                gpus == 0 ? null : gpus,
                one.projects(),
                one.queuedCoreSeconds());
    }

    /** Use by project is needed only if a quota applies to all clusters. */
    private static Map<UserName, List<ProjectUse>> byProject(final QuotaView view) {
        final Map<UserName, Map<ProjectName, ProjectUse>> uses = new LinkedHashMap<>();
        if (!view.quotas().isCentreWide()) {
            return Map.of();
        }
        for (final JobObserved job : view.assumed().jobs()) {
            if (job.project() != null && job.state().occupiesCores()) {
                uses.computeIfAbsent(job.owner(), owner -> new TreeMap<>())
                        .merge(
                                job.project(),
                                new ProjectUse(
                                        job.project(),
                                        job.resources().cores(),
                                        job.resources().gpus()),
                                (one, more) -> new ProjectUse(
                                        one.project(), one.cores() + more.cores(), one.gpus() + more.gpus()));
            }
        }
        final Map<UserName, List<ProjectUse>> lists = new LinkedHashMap<>();
        uses.forEach((owner, all) -> lists.put(owner, List.copyOf(all.values())));
        return lists;
    }
}
