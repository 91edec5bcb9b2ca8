package io.millrace.quota;

import io.millrace.decide.Changes;
import io.millrace.decide.FollowedCluster;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.UserLock;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.Usage;
import io.millrace.model.quota.UsageKey;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.BudgetUsage;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.CentreUsage;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import io.millrace.quota.domain.view.QuotaPolicy;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Use case: plans the clusters of a partition. Applies the events of the log and returns what changes. Not thread-safe: one deciding loop
 * owns it.
 */
public final class EnforceQuotas {

    private final QuotaPolicy settings;
    private final BudgetRules configured;
    /** In place of those of the settings. */
    private final Map<String, BudgetSet> budgetSets = new TreeMap<>();

    private QuotaPolicy policy;
    private final ActiveQuotas quotas;
    private final Map<ClusterId, QuotaCluster> clusters = new TreeMap<>();
    private final RequestedProcessorTime usage = new RequestedProcessorTime();
    private final CentreUsage centre = new CentreUsage();
    private Budgets budgets;
    private PriorityRules priority = PriorityRules.NONE;
    private final UnplacedJobs unplaced = new UnplacedJobs();
    private final Map<UserName, UserLock> locks = new HashMap<>();

    private boolean hasDecided;

    public EnforceQuotas(final QuotaPolicy policy, final int defaultQuota, final BudgetRules budgets) {
        this.settings = policy;
        this.policy = policy;
        this.configured = budgets;
        this.budgets = new Budgets(budgets, new BudgetUsage(budgets));
        this.quotas = new ActiveQuotas(defaultQuota);
    }

    /** The state of the cluster, built from the log. */
    public FollowedCluster followed(final ClusterId cluster) {
        return cluster(cluster).followed();
    }

    public void quotaSet(final Quota quota) {
        quotas.put(quota);
        changed(quota.cluster());
    }

    public void budgetSet(final BudgetSet set) {
        budgetSets.put(set.key(), set);
        budgetsChanged();
    }

    public void budgetRemoved(final String key) {
        budgetSets.remove(key);
        budgetsChanged();
    }

    private void budgetsChanged() {
        budgets = new Budgets(configured.with(budgetSets.values()), budgets.usage());
        final ProcessorHourRules hours = settings.hours();
        policy = settings.with(new ProcessorHourRules(
                hours.limits().with(budgetSets.values()), hours.remaining(), hours.queued(), hours.overtaking()));
        changed(null);
    }

    /** Group members affect all clusters. */
    public void groupSet(final QuotaGroup group) {
        quotas.put(group);
        changed(null);
    }

    /** Jobs of a locked user do not start on any cluster. */
    public void userLockChanged(final UserLock lock) {
        if (lock.locked()) {
            locks.put(lock.user(), lock);
        } else {
            locks.remove(lock.user());
        }
        changed(null);
    }

    public void prioritySet(final PriorityRules rules) {
        priority = rules;
        changed(null);
    }

    /** Applies the classes of a job; null is a tombstone. */
    public void classified(final JobKey job, final @Nullable List<String> into) {
        final QuotaCluster cluster = cluster(job.cluster());
        cluster.classified(job, into);
        if (!priority.classFactorsPercent().isEmpty()
                || budgets.rules().tariff().usesClasses()) {
            cluster.changed();
        }
    }

    /** Applies a tombstone of a quota or a group. */
    public void quotaRemoved(final String key) {
        changed(quotas.remove(key).map(Quota::cluster).orElse(null));
    }

    /** Applies the state of a global job; null is a tombstone. */
    public void globalJobChanged(final GlobalJobId id, final @Nullable GlobalJob job) {
        if (unplaced.apply(id, job)) {
            changed(null);
        }
    }

    private void changed(final @Nullable ClusterId one) {
        if (one == null) {
            clusters.values().forEach(QuotaCluster::changed);
        } else {
            cluster(one).changed();
        }
    }

    /** Applies the usage of a user on a cluster of this or another instance; null is a tombstone. */
    public void usageChanged(final UsageKey.Use key, final @Nullable Usage figures) {
        final ClusterId cluster = key.cluster();
        replayed(cluster, Topic.USAGE, key.toString(), figures);
        final boolean requestedChanged = figures == null ? usage.remove(key.toString()) : usage.put(figures);
        final boolean usedChanged = figures == null ? centre.remove(key.user(), cluster) : centre.put(figures);
        if ((requestedChanged && policy.hours().limits().isSome()) || (usedChanged && quotas.isCentreWide())) {
            clusters.forEach((id, other) -> {
                if (!id.equals(cluster)) {
                    other.changed();
                }
            });
        }
    }

    /** Charges an ended run at the next decision. */
    public void runEnded(final RunEnded end) {
        final QuotaCluster on = cluster(end.cluster());
        on.charges().ended(end);
        on.changed();
    }

    /** Applies a ledger entry, which this service wrote. */
    public void ledgerEntry(final LedgerEntry entry) {
        cluster(entry.cluster()).charges().booked(entry.key());
    }

    /** Applies a closing of the ledger, which this service wrote. */
    public void ledgerClosed(final LedgerClosed closing) {
        cluster(closing.cluster()).charges().closed(closing);
    }

    /** Applies charges on a cluster of this or another instance; null is a tombstone. */
    public void chargesChanged(final ClusterId cluster, final String key, final @Nullable Charges charges) {
        final QuotaCluster on = cluster(cluster);
        if (!hasDecided) {
            if (charges == null) {
                on.charges().replayedRemoval(key);
            } else {
                on.charges().replayed(charges);
            }
        } else if (on.followed().view().marker() != null) {
            return; // this instance wrote it
        }
        final boolean changed =
                charges == null ? budgets.usage().remove(key) : budgets.usage().put(charges);
        if (changed && budgets.rules().isSome()) {
            clusters.values().forEach(QuotaCluster::changed);
        }
    }

    /** Applies a value that this service wrote, during replay; later the value in memory is newer. */
    public void replayed(final ClusterId cluster, final Topic topic, final String key, final @Nullable Event event) {
        if (!hasDecided) {
            cluster(cluster).replayed(topic, key, event);
        }
    }

    public Changes decide(final Instant now) {
        hasDecided = true;
        final Changes changes = new Changes();
        clusters.values().forEach(cluster -> cluster.bookRuns(budgets, now, changes));
        final CentreSnapshot all =
                new CentreSnapshot(quotas, priority, unplaced.oldestFirst(), centre, budgets, policy, locks);
        clusters.forEach((id, cluster) -> cluster.decide(all, usage.requestedElsewhere_core_s(id), now, changes));
        return changes;
    }

    public Optional<Instant> wakeAt() {
        return clusters.values().stream()
                .flatMap(cluster -> cluster.wakeAt().stream())
                .min(Comparator.naturalOrder());
    }

    private QuotaCluster cluster(final ClusterId id) {
        return clusters.computeIfAbsent(id, one -> new QuotaCluster(one, configured));
    }
}
