package io.millrace.submit.domain.handler;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request;
import io.millrace.model.protocol.EventType;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.Usage;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.Transfer;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The user and the clusters that an event is about.
 *
 * @param user owner of the job, quota, usage or transfer; null if the event names no user
 * @param clusters empty if the event is not about specific clusters
 */
record EventSubject(@Nullable UserName user, Set<ClusterId> clusters) {

    private static final Set<EventType> NAMING_A_USER = EnumSet.of(
            EventType.JOB_OBSERVED,
            EventType.RUN_ENDED,
            EventType.USAGE,
            EventType.CHARGES,
            EventType.LEDGER_ENTRY,
            EventType.QUOTA,
            EventType.QUOTA_REFUSED,
            EventType.QUOTA_REQUESTED,
            EventType.JOB_SUBMITTED,
            EventType.GLOBAL_JOB,
            EventType.TRANSFER,
            EventType.STAGED_COPY,
            EventType.TRANSFER_REQUESTED);

    static boolean namesAUser(final EventType type) {
        return NAMING_A_USER.contains(type);
    }

    static EventSubject of(final Event event) {
        return new EventSubject(userOf(event), clustersOf(event));
    }

    private static @Nullable UserName userOf(final Event event) {
        return switch (event) {
            case JobObserved job -> job.owner();
            case RunEnded run -> run.owner();
            case Usage usage -> usage.user();
            case Charges charges -> charges.user();
            case LedgerEntry entry -> entry.user();
            case Quota quota -> quota.user();
            case QuotaRefused refused -> refused.request().user();
            case Request.QuotaRequested request -> request.user();
            case JobSubmitted job -> job.owner();
            case GlobalJob job -> job.submission().owner();
            case Transfer transfer -> transfer.owner();
            case StagedCopy copy -> copy.owner();
            case Request.TransferRequested request -> request.owner();
            default -> null;
        };
    }

    private static Set<ClusterId> clustersOf(final Event event) {
        return switch (event) {
            case Quota quota -> setOf(quota.cluster());
            case QuotaRefused refused -> setOf(refused.request().cluster());
            case Request.QuotaRequested request -> setOf(request.cluster());
            case JobSubmitted job -> setOf(job.source(), job.target());
            case GlobalJob job -> clustersOf(job);
            case Transfer transfer ->
                setOf(transfer.from().cluster(), transfer.to().cluster());
            case StagedCopy copy -> setOf(copy.place().cluster());
            case Request.TransferRequested request ->
                setOf(request.from().cluster(), request.to().cluster());
            case Request.AvailabilityRequested request -> setOf(request.cluster());
            case ClusterAvailability availability -> setOf(availability.cluster());
            default -> setOf(event.cluster());
        };
    }

    /** The source cluster and the cluster of the current attempt. */
    private static Set<ClusterId> clustersOf(final GlobalJob job) {
        final var attempt = job.attempt();
        return setOf(job.submission().source(), attempt == null ? null : attempt.cluster());
    }

    private static Set<ClusterId> setOf(final @Nullable ClusterId... clusters) {
        return Stream.of(clusters).filter(Objects::nonNull).collect(Collectors.toUnmodifiableSet());
    }
}
