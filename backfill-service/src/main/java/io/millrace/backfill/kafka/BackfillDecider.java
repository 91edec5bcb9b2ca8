package io.millrace.backfill.kafka;

import io.millrace.backfill.PlanStarts;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.ClusterRecords;
import io.millrace.log.loop.Decider;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.policy.PlanKey;
import io.millrace.model.protocol.Topic;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Connects {@link PlanStarts} to the log: passes events to it, and returns its commands and plans. */
public final class BackfillDecider implements Decider {

    private final PlanStarts clusters;

    public BackfillDecider(final PlanStarts clusters) {
        this.clusters = clusters;
    }

    @Override
    public void apply(final LogRecord read) {
        if (ClusterRecords.apply(read, clusters::followed)) {
            return;
        }
        switch (read.topic()) {
            case ENTITLEMENTS -> clusters.entitled(JobKey.of(read.key()), (Entitlement) read.event());
            case CLASSES -> {
                if (read.event() instanceof Classified classified) {
                    clusters.classified(classified);
                }
            }
            case JOB_ENDS -> {
                if (read.event() instanceof RunEnded end) {
                    clusters.ended(end);
                }
            }
            case PLANS -> replay(read);
            default -> throw new IllegalArgumentException("unexpected topic " + read.topic());
        }
    }

    private void replay(final LogRecord read) {
        switch (read.event()) {
            case PlanClosed closed when closed.issuer() == Issuer.BACKFILL -> clusters.replayed(closed);
            case Plan plan
            when plan.issuer() == Issuer.BACKFILL && plan.job() instanceof JobKey job -> clusters.replayed(job, plan);
            case null -> {
                if (PlanKey.of(read.key()) instanceof PlanKey.OfJob(JobKey job, Issuer issuer)
                        && issuer == Issuer.BACKFILL) {
                    clusters.replayed(job, null);
                }
            }
            default -> {}
        }
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        return OutgoingEvent.of(clusters.decide(now));
    }

    /** A plan from which a replay restores a reservation or a shrunk estimate belongs to its commands. */
    @Override
    public boolean isRecomputed(final OutgoingEvent decided) {
        return decided.topic() == Topic.PLANS
                && !(decided instanceof OutgoingEvent.Put put
                        && put.event() instanceof Plan plan
                        && (plan.isReserved() || plan.isGoingFirst() || plan.shortenedEnd() != null));
    }

    @Override
    public Optional<Instant> wakeAt() {
        return clusters.replanAt();
    }
}
