package io.millrace.migration.kafka;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.StoredTexts;
import io.millrace.log.loop.Decider;
import io.millrace.migration.ManageGlobalJobs;
import io.millrace.migration.domain.LogChange;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobRef;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.ClusterStateKey;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.policy.PlanKey;
import io.millrace.model.policy.Request;
import io.millrace.model.protocol.Topic;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.Transfer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Connects {@link ManageGlobalJobs} to the log, and keeps from it the texts that it does not decide about. */
final class MigrationDecider implements Decider {

    private final ManageGlobalJobs migration;
    private final Consumer<Map<String, Long>> live;
    private final StoredTexts texts = new StoredTexts();

    /** @param live receives the number of jobs by state after each decision */
    MigrationDecider(final ManageGlobalJobs migration, final Consumer<Map<String, Long>> live) {
        this.migration = migration;
        this.live = live;
    }

    @Override
    public void apply(final LogRecord read) {
        switch (read.event()) {
            case null -> applyTombstone(read);
            case JobSubmitted job -> migration.submitted(texts.keep(job));
            case SubmissionEvent event -> migration.submitted(event);
            case RunEnded end -> migration.ended(end);
            case GlobalJob job -> migration.recorded(texts.keep(job));
            case Request.AvailabilityRequested request -> migration.requested(request);
            case Request other -> {}
            case ClusterAvailability decision -> migration.decided(decision);
            case ClusterStateEvent event -> migration.observed(event);
            case Command command -> migration.issued(command, read.offset());
            case Outcome outcome -> migration.answered(outcome);
            case Transfer transfer -> migration.transferred(transfer);
            case Plan plan -> migration.planned(plan, read.time());
            case PlacementOffered offer -> migration.offered(offer);
            case Classified classified -> {
                if (classified.job() instanceof GlobalJobId job) {
                    migration.classified(job, classified.classes());
                }
            }
            case PlacementTable table -> migration.placementTable(table);
            case PlanClosed closed -> {}
            case StagedCopy copy -> {}
            default -> throw new IllegalArgumentException(read.topic() + " is not an input of migration");
        }
    }

    private void applyTombstone(final LogRecord read) {
        if (read.topic() == Topic.CLUSTER_STATE) {
            migration.removed(ClusterStateKey.of(read.key()).cluster(), read.key());
        } else if (read.topic() == Topic.CLASSES) {
            if (JobRef.of(read.key()) instanceof GlobalJobId job) {
                migration.classificationRemoved(job);
            }
        } else if (read.topic() == Topic.PLANS) {
            switch (PlanKey.of(read.key())) {
                case PlanKey.Offer(var cluster, var job) -> migration.offerWithdrawn(job, cluster);
                case PlanKey.OfJob(GlobalJobId job, Issuer issuer)
                when issuer == Issuer.MIGRATION -> migration.planWithdrawn(job);
                case PlanKey.OfJob other -> {}
                case PlanKey.OfCluster closed -> {}
            }
        }
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        final List<OutgoingEvent> changes =
                migration.decide(now).stream().map(this::outgoing).toList();
        live.accept(migration.liveByState());
        return changes;
    }

    private OutgoingEvent outgoing(final LogChange change) {
        return switch (change) {
            case LogChange.Publish publish -> OutgoingEvent.put(publish.event(), texts::complete);
            case LogChange.WithdrawPlan over ->
                OutgoingEvent.remove(Topic.PLANS, new PlanKey.OfJob(over.job(), Issuer.MIGRATION).toString(), null);
        };
    }

    @Override
    public Optional<Instant> wakeAt() {
        return migration.wakeAt();
    }
}
