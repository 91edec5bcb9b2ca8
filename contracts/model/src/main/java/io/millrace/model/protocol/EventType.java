package io.millrace.model.protocol;

import io.millrace.model.Event;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.file.FileAnswer;
import io.millrace.model.file.FileRequest;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.NumbersReserved;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.StopRequested;
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
import io.millrace.model.policy.UserLock;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.Usage;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.Transfer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The event types on the log: CloudEvents type, topic and record class, one line each. */
public enum EventType {
    JOB_OBSERVED("millrace.job.observed.v1", Topic.CLUSTER_STATE, JobObserved.class),
    NODE_OBSERVED("millrace.node.observed.v1", Topic.CLUSTER_STATE, NodeObserved.class),
    PARTITION_OBSERVED("millrace.partition.observed.v1", Topic.CLUSTER_STATE, PartitionObserved.class),
    SITE_MAPPING_OBSERVED("millrace.site-mapping.observed.v1", Topic.CLUSTER_STATE, SiteMappingObserved.class),
    CLUSTER_CONDITIONS("millrace.conditions.observed.v1", Topic.CLUSTER_STATE, ClusterConditions.class),
    REVISION_CLOSED("millrace.revision.closed.v1", Topic.CLUSTER_STATE, RevisionClosed.class),
    RUN_ENDED("millrace.run.ended.v1", Topic.JOB_ENDS, RunEnded.class),
    COMMAND("millrace.command.issued.v1", Topic.COMMANDS, Command.class),
    OUTCOME("millrace.command.answered.v1", Topic.OUTCOMES, Outcome.class),
    CLASSIFIED("millrace.job.classified.v1", Topic.CLASSES, Classified.class),
    PLACEMENT_TABLE("millrace.placement-table.set.v1", Topic.CLASSES, PlacementTable.class),
    ENTITLEMENT("millrace.job.entitled.v1", Topic.ENTITLEMENTS, Entitlement.class),
    PLAN("millrace.job.planned.v1", Topic.PLANS, Plan.class),
    PLACEMENT_OFFERED("millrace.placement.offered.v1", Topic.PLANS, PlacementOffered.class),
    PLAN_CLOSED("millrace.plan.closed.v1", Topic.PLANS, PlanClosed.class),
    USAGE("millrace.usage.counted.v1", Topic.USAGE, Usage.class),
    CHARGES("millrace.usage.charged.v1", Topic.USAGE, Charges.class),
    LEDGER_ENTRY("millrace.ledger.booked.v1", Topic.LEDGER, LedgerEntry.class),
    LEDGER_CLOSED("millrace.ledger.closed.v1", Topic.LEDGER, LedgerClosed.class),
    CLUSTER_AVAILABILITY("millrace.cluster.availability-changed.v1", Topic.AVAILABILITY, ClusterAvailability.class),
    QUOTA("millrace.quota.set.v1", Topic.QUOTAS, Quota.class),
    PRIORITY("millrace.priority.set.v1", Topic.QUOTAS, PriorityRulesSet.class),
    CLASS_MODEL("millrace.class-model.set.v1", Topic.QUOTAS, ClassModelSet.class),
    CLASS_MODEL_CHECKED("millrace.class-model.checked.v1", Topic.QUOTAS, ClassModelChecked.class),
    QUOTA_GROUP("millrace.quota-group.set.v1", Topic.QUOTAS, QuotaGroup.class),
    QUOTA_REFUSED("millrace.quota.refused.v1", Topic.QUOTAS, QuotaRefused.class),
    BUDGET("millrace.budget.set.v1", Topic.QUOTAS, BudgetSet.class),
    USER_LOCK("millrace.user.lock-changed.v1", Topic.LOCKS, UserLock.class),
    NUMBERS_RESERVED("millrace.job-numbers.reserved.v1", Topic.NUMBERS, NumbersReserved.class),
    JOB_SUBMITTED("millrace.job.submitted.v1", Topic.SUBMISSIONS, JobSubmitted.class),
    STOP_REQUESTED("millrace.stop.requested.v1", Topic.SUBMISSIONS, StopRequested.class),
    HOLD_REQUESTED("millrace.hold.requested.v1", Topic.SUBMISSIONS, HoldRequested.class),
    RELEASE_REQUESTED("millrace.release.requested.v1", Topic.SUBMISSIONS, ReleaseRequested.class),
    ALTER_REQUESTED("millrace.alter.requested.v1", Topic.SUBMISSIONS, AlterRequested.class),
    GLOBAL_JOB("millrace.global-job.changed.v1", Topic.GLOBAL_JOBS, GlobalJob.class),
    TRANSFER("millrace.transfer.changed.v1", Topic.TRANSFERS, Transfer.class),
    STAGED_COPY("millrace.staged-copy.changed.v1", Topic.TRANSFERS, StagedCopy.class),
    QUOTA_REQUESTED("millrace.quota.requested.v1", Topic.REQUESTS, Request.QuotaRequested.class),
    BUDGET_REQUESTED("millrace.budget.requested.v1", Topic.REQUESTS, Request.BudgetRequested.class),
    PRIORITY_REQUESTED("millrace.priority.requested.v1", Topic.REQUESTS, Request.PriorityRulesRequested.class),
    CLASS_MODEL_REQUESTED("millrace.class-model.requested.v1", Topic.REQUESTS, Request.ClassModelRequested.class),
    TRANSFER_REQUESTED("millrace.transfer.requested.v1", Topic.REQUESTS, Request.TransferRequested.class),
    TRANSFER_CANCEL_REQUESTED(
            "millrace.transfer.cancel-requested.v1", Topic.REQUESTS, Request.TransferCancelRequested.class),
    AVAILABILITY_REQUESTED(
            "millrace.cluster.availability-requested.v1", Topic.REQUESTS, Request.AvailabilityRequested.class),
    TRANSFER_RELEASE_REQUESTED(
            "millrace.transfer.release-requested.v1", Topic.REQUESTS, Request.TransferReleaseRequested.class),
    FILE_REQUEST("millrace.file.requested.v1", Topic.FILE_REQUESTS, FileRequest.class),
    FILE_ANSWER("millrace.file.answered.v1", Topic.FILE_ANSWERS, FileAnswer.class);

    private static final Map<Class<?>, EventType> BY_RECORD =
            Arrays.stream(values()).collect(Collectors.toMap(type -> type.record, Function.identity()));
    private static final Map<String, EventType> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(type -> type.typeName, Function.identity()));

    private final String typeName;
    private final Topic topic;
    private final Class<? extends Event> record;

    EventType(final String typeName, final Topic topic, final Class<? extends Event> record) {
        this.typeName = typeName;
        this.topic = topic;
        this.record = record;
    }

    /** The value of the CloudEvents attribute {@code type}. */
    public String typeName() {
        return typeName;
    }

    public Topic topic() {
        return topic;
    }

    public Class<? extends Event> record() {
        return record;
    }

    /** The type of an event; an event without a line in this table is a programming error. */
    public static EventType of(final Event event) {
        final EventType type = BY_RECORD.get(event.getClass());
        if (type == null) {
            throw new IllegalArgumentException(event.getClass() + " has no line in EventType");
        }
        return type;
    }

    /** The type of this CloudEvents name; empty for types of a newer release, which readers skip and count. */
    public static Optional<EventType> named(final String typeName) {
        return Optional.ofNullable(BY_NAME.get(typeName));
    }
}
