package io.millrace.quota.kafka;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.ClusterRecords;
import io.millrace.log.loop.Decider;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Issuer;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.UserLock;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.Usage;
import io.millrace.quota.EnforceQuotas;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Passes events to {@link EnforceQuotas} and its changes to the log. */
public final class ClusterDecider implements Decider {

    private static final String OWN_PLAN = "/" + Issuer.QUOTA;

    private static final String CHARGES = "/charges/";

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
            case PLANS -> {
                if (isOwnPlan(read.key()) || PlacementOffered.isKey(read.key())) {
                    clusters.replayed(ClusterRecords.clusterOf(read.key()), Topic.PLANS, read.key(), read.event());
                }
            }
            case LOCKS -> {
                if (read.event() instanceof UserLock lock) {
                    clusters.userLockChanged(lock);
                }
            }
            case GLOBAL_JOBS -> clusters.globalJobChanged(GlobalJobId.of(read.key()), (GlobalJob) read.event());
            case CLASSES -> {
                if (isLocal(read.key())) {
                    clusters.classified(
                            JobKey.of(read.key()),
                            read.event() instanceof Classified classified ? classified.classes() : null);
                }
            }
            default -> throw new IllegalArgumentException(read.topic() + " is not an input");
        }
    }

    /** {@code alpha/12@…} is the job of a cluster; the id of a global job has no cluster. */
    private static boolean isLocal(final String key) {
        return key.indexOf('/') > 0;
    }

    /** {@code alpha/anna} is the usage of anna, {@code alpha/charges/anna/physics} her charges. */
    private void used(final LogRecord read) {
        final ClusterId cluster = ClusterRecords.clusterOf(read.key());
        if (read.event() instanceof Charges || read.key().startsWith(cluster + CHARGES)) {
            clusters.chargesChanged(cluster, read.key(), (Charges) read.event());
        } else {
            clusters.usageChanged(cluster, read.key(), (Usage) read.event());
        }
    }

    /** {@code alpha/12@…/QUOTA} is a plan of this service; {@code alpha/BACKFILL} is not. */
    private static boolean isOwnPlan(final String key) {
        return key.endsWith(OWN_PLAN) && key.indexOf('/') < key.length() - OWN_PLAN.length();
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
