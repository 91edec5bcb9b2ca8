package io.millrace.quota.kafka;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.ClusterRecords;
import io.millrace.log.loop.Decider;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.JobRef;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Issuer;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanKey;
import io.millrace.model.policy.PriorityRulesSet;
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
import io.millrace.quota.EnforceQuotas;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Passes events to {@link EnforceQuotas} and its changes to the log. */
public final class ClusterDecider implements Decider {

    private final EnforceQuotas clusters;

    public ClusterDecider(final EnforceQuotas clusters) {
        this.clusters = clusters;
    }

    @Override
    public void apply(final LogRecord read) {
        if (ClusterRecords.apply(read, clusters::followed)) {
            return;
        }
        switch (read.topic()) {
            case QUOTAS -> {
                if (read.event() instanceof Quota quota) {
                    clusters.quotaSet(quota);
                } else if (read.event() instanceof QuotaGroup group) {
                    clusters.groupSet(group);
                } else if (read.event() instanceof PriorityRulesSet priority) {
                    clusters.prioritySet(priority.rules());
                } else if (read.event() instanceof BudgetSet budget) {
                    clusters.budgetSet(budget);
                } else if (read.isTombstone() && BudgetSet.isKey(read.key())) {
                    clusters.budgetRemoved(read.key());
                } else if (read.isTombstone()) {
                    clusters.quotaRemoved(read.key());
                }
            }
            case ENTITLEMENTS ->
                clusters.replayed(JobKey.of(read.key()).cluster(), Topic.ENTITLEMENTS, read.key(), read.event());
            case USAGE -> used(read);
            case LEDGER -> {
                if (read.event() instanceof LedgerEntry entry) {
                    clusters.ledgerEntry(entry);
                } else if (read.event() instanceof LedgerClosed closing) {
                    clusters.ledgerClosed(closing);
                }
            }
            case JOB_ENDS -> {
                if (read.event() instanceof RunEnded end) {
                    clusters.runEnded(end);
                }
            }
            case PLANS -> planned(read);
            case LOCKS -> {
                if (read.event() instanceof UserLock lock) {
                    clusters.userLockChanged(lock);
                }
            }
            case GLOBAL_JOBS -> clusters.globalJobChanged(GlobalJobId.of(read.key()), (GlobalJob) read.event());
            case CLASSES -> {
                if (read.event() instanceof Classified classified && classified.job() instanceof JobKey job) {
                    clusters.classified(job, classified.classes());
                } else if (read.isTombstone() && JobRef.of(read.key()) instanceof JobKey job) {
                    clusters.classified(job, null);
                }
            }
            default -> throw new IllegalArgumentException(read.topic() + " is not an input");
        }
    }

    private void used(final LogRecord read) {
        switch (read.event()) {
            case Charges charges -> clusters.chargesChanged(charges.cluster(), read.key(), charges);
            case Usage usage -> clusters.usageChanged(new UsageKey.Use(usage.cluster(), usage.user()), usage);
            case null -> {
                switch (UsageKey.of(read.key())) {
                    case UsageKey.Charged charged -> clusters.chargesChanged(charged.cluster(), read.key(), null);
                    case UsageKey.Use use -> clusters.usageChanged(use, null);
                }
            }
            default -> throw new IllegalArgumentException(read.event().getClass() + " is not an input");
        }
    }

    /** The plans and offers of this service. Keys are only read where there is no event, because they are many. */
    private void planned(final LogRecord read) {
        final ClusterId cluster = switch (read.event()) {
            case Plan plan -> plan.issuer() == Issuer.QUOTA ? plan.cluster() : null;
            case PlacementOffered offer -> offer.cluster();
            case null -> clusterOf(PlanKey.of(read.key()));
            default -> null;
        };
        if (cluster != null) {
            clusters.replayed(cluster, Topic.PLANS, read.key(), read.event());
        }
    }

    private static @Nullable ClusterId clusterOf(final PlanKey withdrawn) {
        return switch (withdrawn) {
            case PlanKey.OfJob(JobKey job, Issuer issuer) when issuer == Issuer.QUOTA -> job.cluster();
            case PlanKey.OfJob other -> null;
            case PlanKey.Offer(var cluster, var job) -> cluster;
            case PlanKey.OfCluster closed -> null;
        };
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        return OutgoingEvent.of(clusters.decide(now));
    }

    @Override
    public boolean isRecomputed(final OutgoingEvent decided) {
        return decided.topic() == Topic.ENTITLEMENTS;
    }

    @Override
    public Optional<Instant> wakeAt() {
        return clusters.wakeAt();
    }
}
