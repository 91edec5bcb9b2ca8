package io.millrace.submit.projection;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.ClusterStateKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.model.policy.ClassModelChecked;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.Usage;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.Transfer;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.log.LatestEvent;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.log.ProjectedRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A batch of records grouped by the rows that they change; keeps only the newest record of each compacted key. */
final class ReadModelBatch {

    private final Map<JobKey, @Nullable JobObserved> localJobs = new LinkedHashMap<>();
    private final Map<LatestEvent.Key, @Nullable LatestEvent> facts = new LinkedHashMap<>();
    private final Map<ClusterId, ClusterStatus> markers = new LinkedHashMap<>();
    private final Set<ClusterId> removedClusters = new LinkedHashSet<>();
    private final List<Event> jobEvents = new ArrayList<>();
    private final List<Command> commands = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<Event> ledger = new ArrayList<>();
    private final Map<LogPosition, RunEnded> runs = new LinkedHashMap<>();

    void add(final ProjectedRecord record) {
        if (record.skip()) {
            return;
        }
        final Event event = record.event();
        if (event == null) {
            addTombstone(record.position().topic(), String.valueOf(record.key()));
            return;
        }
        switch (event) {
            case JobObserved job -> localJobs.put(job.job(), job);
            case RevisionClosed marker -> {
                removedClusters.remove(marker.cluster());
                markers.put(marker.cluster(), new ClusterStatus(marker, record.time()));
            }
            case SubmissionEvent about -> jobEvents.add(about);
            case GlobalJob job -> jobEvents.add(job);
            case Command command -> commands.add(command);
            case Outcome outcome -> outcomes.add(outcome);
            case RunEnded end -> runs.put(record.position(), end);
            case NodeObserved node -> fact(record, event, node.cluster().value());
            case PartitionObserved partition ->
                fact(record, event, partition.cluster().value());
            case SiteMappingObserved mapping ->
                fact(record, event, mapping.cluster().value());
            case ClusterConditions conditions ->
                fact(record, event, conditions.cluster().value());
            case ClusterAvailability availability ->
                fact(record, event, availability.cluster().value());
            case Request.AvailabilityRequested request ->
                fact(record, event, request.cluster().value());
            case Entitlement entitlement ->
                fact(record, event, entitlement.job().toString());
            case Classified classified -> fact(record, event, classified.job().toString());
            case PlacementTable table -> fact(record, event, table.key());
            case Plan plan -> fact(record, event, plan.job().toString());
            case PlacementOffered offer -> fact(record, event, offer.job().value());
            case PlanClosed closed -> fact(record, event, closed.cluster().value());
            case Usage usage -> fact(record, event, usage.user().value());
            case Charges charges -> fact(record, event, charges.user().value());
            case LedgerEntry entry -> ledger.add(entry);
            case LedgerClosed closing -> ledger.add(closing);
            case PriorityRulesSet set -> fact(record, event, set.key());
            case Request.PriorityRulesRequested request -> fact(record, event, request.key());
            case ClassModelSet set -> fact(record, event, set.key());
            case ClassModelChecked check -> fact(record, event, check.author().value());
            case Request.ClassModelRequested request -> fact(record, event, request.key());
            case Quota quota -> fact(record, event, quota.heldBy().toString());
            case BudgetSet set -> fact(record, event, String.valueOf(set.holder()));
            case Request.BudgetRequested request -> {} // the outcome is on millrace.quotas
            case QuotaGroup group -> fact(record, event, group.key());
            case QuotaRefused refused ->
                fact(record, event, refused.request().heldBy().toString());
            case Request.QuotaRequested request ->
                fact(record, event, request.heldBy().toString());
            case Transfer transfer ->
                fact(record, event, transfer.attempt().job().value());
            case StagedCopy copy -> fact(record, event, copy.attempt().job().value());
            case Request.TransferRequested request -> {} // the outcome is on millrace.transfers
            case Request.TransferCancelRequested request -> {} // as above
            case Request.TransferReleaseRequested request -> {} // as above
            default -> throw new IllegalStateException("no row for " + event.getClass());
        }
    }

    private void fact(final ProjectedRecord record, final Event event, final String about) {
        facts.put(
                new LatestEvent.Key(record.position().topic(), event.key()),
                new LatestEvent(about, event.cluster(), record.time(), event));
    }

    private void addTombstone(final Topic topic, final String key) {
        if (topic == Topic.GLOBAL_JOBS) {
            return; // the read model keeps ended jobs longer than the log
        }
        if (topic != Topic.CLUSTER_STATE) {
            facts.put(new LatestEvent.Key(topic, key), null);
            return;
        }
        switch (ClusterStateKey.of(key)) {
            case ClusterStateKey.Job(var job) -> localJobs.put(job, null);
            case ClusterStateKey.Marker(var cluster) -> {
                markers.remove(cluster);
                removedClusters.add(cluster);
            }
            default -> facts.put(new LatestEvent.Key(topic, key), null);
        }
    }

    Map<JobKey, @Nullable JobObserved> localJobs() {
        return localJobs;
    }

    Map<LatestEvent.Key, @Nullable LatestEvent> facts() {
        return facts;
    }

    Map<ClusterId, ClusterStatus> markers() {
        return markers;
    }

    Set<ClusterId> removedClusters() {
        return removedClusters;
    }

    List<Event> jobEvents() {
        return jobEvents;
    }

    List<Command> commands() {
        return commands;
    }

    List<Outcome> outcomes() {
        return outcomes;
    }

    List<Event> ledger() {
        return ledger;
    }

    Map<LogPosition, RunEnded> runs() {
        return runs;
    }
}
