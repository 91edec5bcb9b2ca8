package io.millrace.log.loop;

import io.millrace.log.OutgoingEvent;
import io.millrace.model.Event;
import io.millrace.model.command.Command;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.policy.Classified;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.StagedCopyState;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each committed decision once, at INFO, with the keys {@code decision}, {@code jobId}, {@code cluster} and {@code reason}. Plans
 * and usage figures are not decisions; quota-service logs changed entitlement levels itself, because only it knows the level before.
 */
final class DecisionLog {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);

    private DecisionLog() {}

    /** @param committed what the transaction wrote */
    static void log(final List<OutgoingEvent> committed) {
        for (final OutgoingEvent outgoing : committed) {
            if (outgoing instanceof OutgoingEvent.Put put) {
                log(put.event());
            }
        }
    }

    private static void log(final Event event) {
        switch (event) {
            case Command command ->
                log(
                        command.action().name(),
                        command.action().subject(),
                        command.cluster().value(),
                        command.reason());
            case GlobalJob job -> log("state " + job.state().word(), job.key(), cluster(job), reason(job.state()));
            case Classified classified ->
                log("class " + classified.classes(), classified.key(), null, String.join(", ", classified.evidence()));
            case Transfer transfer
            when transfer.state() instanceof TransferState.Copying copying && copying.progress() != null -> {}
            case Transfer transfer ->
                log(
                        "transfer " + transfer.state().getClass().getSimpleName(),
                        transfer.attempt().job().value(),
                        transfer.to().cluster().value(),
                        reason(transfer.state()));
            case StagedCopy copy ->
                log(
                        "staged copy " + copy.state().getClass().getSimpleName(),
                        copy.attempt().job().value(),
                        copy.place().cluster().value(),
                        reason(copy.state()));
            default -> {}
        }
    }

    private static void log(
            final String decision, final String jobId, final @Nullable String cluster, final @Nullable String reason) {
        LOG.info("decision={} jobId={} cluster={} reason={}", decision, jobId, cluster, reason);
    }

    private static @Nullable String cluster(final GlobalJob job) {
        final Attempt attempt = job.attempt();
        return attempt == null ? null : attempt.cluster().value();
    }

    private static @Nullable String reason(final GlobalJobState state) {
        return switch (state) {
            case GlobalJobState.Waiting waiting -> waiting.reason();
            case GlobalJobState.Aborted aborted -> aborted.reason();
            case GlobalJobState.Stopped stopped -> stopped.reason();
            case GlobalJobState.Uploading uploading -> null;
            case GlobalJobState.Making making -> null;
            case GlobalJobState.Submitted submitted -> null;
            case GlobalJobState.Downloading downloading -> null;
            case GlobalJobState.End end -> null;
        };
    }

    private static @Nullable String reason(final StagedCopyState state) {
        return switch (state) {
            case StagedCopyState.Kept kept -> kept.reason();
            case StagedCopyState.Removing removing -> null;
            case StagedCopyState.Removed removed -> removed.detail();
        };
    }

    private static @Nullable String reason(final TransferState state) {
        return switch (state) {
            case TransferState.Planned planned -> planned.reason();
            case TransferState.Copying copying -> copying.cancelReason();
            case TransferState.Held held -> held.reason();
            case TransferState.Verified verified -> verified.detail();
            case TransferState.Failed failed -> failed.reason();
            case TransferState.Cancelled cancelled -> cancelled.reason();
        };
    }
}
