package io.millrace.submit.rest.jobs;

import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.transfer.CopyProgress;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.StagedCopyState;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes states in one sentence. */
final class StateText {

    private StateText() {}

    /** @param local the local job while it is in a queue; one that started before it was held is not held before it waits again */
    static String of(final GlobalJob job, final @Nullable JobObserved local) {
        final HoldRequested hold = job.hold();
        if (hold == null) {
            return of(job.state());
        }
        final String held = "held by " + hold.by() + " since " + hold.requestedAt() + ": " + hold.reason();
        return local == null || local.state().isWaiting()
                ? held
                : of(job.state()) + "; it started before the hold, and will be held if it is requeued (" + held + ")";
    }

    static String of(final GlobalJobState state) {
        return switch (state) {
            case GlobalJobState.Waiting s -> s.reason();
            case GlobalJobState.Uploading s -> "transferring its directory to the cluster";
            case GlobalJobState.Making s ->
                "running its build step (attempt " + s.attempt().number() + ")";
            case GlobalJobState.Submitted s -> submitted(s);
            case GlobalJobState.Downloading s ->
                s.outcome().endsTheJob()
                        ? "the run ended (" + s.outcome().detail() + "); transferring results back"
                        : "withdrawn from its cluster; transferring its files back for the next attempt";
            case GlobalJobState.End s -> s.outcome().detail();
            case GlobalJobState.Aborted s -> s.reason();
            case GlobalJobState.Stopped s -> "stopped by " + s.by() + ": " + s.reason();
        };
    }

    private static String submitted(final GlobalJobState.Submitted state) {
        if (state.localJob() == null) {
            return "being submitted to the workload manager";
        }
        if (state.withdrawal() != null) {
            return "in the queue as " + state.localJob().id() + ", being withdrawn: "
                    + state.withdrawal().end().reason();
        }
        return state.released()
                ? "in the queue as " + state.localJob().id()
                : "in the queue as " + state.localJob().id() + ", held";
    }

    static String of(final JobState state) {
        return switch (state) {
            case JobState.Queued s -> "waiting in the queue";
            case JobState.Held s -> held(s.by());
            case JobState.Running s -> "running on " + s.nodes() + ", started at " + s.startedAt();
            case JobState.Suspended s -> "suspended; started at " + s.startedAt();
            case JobState.Completing s -> "ended; its nodes are being released";
            case JobState.Unsettled s -> "left the queue; accounting has no outcome yet";
            case JobState.Unknown s -> "in unknown state '" + s.code() + "'";
        };
    }

    private static String held(final HoldKind by) {
        return switch (by) {
            case USER -> "held by its owner";
            case OPERATOR -> "held by an operator";
            case SUBMISSION -> "held until Millrace releases it";
            case ENTRY -> "waiting for Millrace to start it";
        };
    }

    static String of(final StagedCopy copy) {
        final String what = "The copy of its directory, " + copy.place() + ", ";
        return switch (copy.state()) {
            case StagedCopyState.Kept s -> what + "will be removed at " + s.removeAt() + ": " + s.reason();
            case StagedCopyState.Removing s -> what + "is being removed";
            case StagedCopyState.Removed s -> what + "was removed at " + copy.since() + ": " + s.detail();
        };
    }

    private static String progress(final TransferState.Copying copying) {
        final CopyProgress progress = copying.progress();
        if (progress == null) {
            return "";
        }
        final Long left = progress.secondsLeft();
        return ", " + progress.percent() + " %, "
                + String.format(Locale.ROOT, "%.1f MB/s", progress.bytesPerSecond() / 1e6)
                + (left == null || left == 0
                        ? ""
                        : ", " + "%d:%02d:%02d".formatted(left / 3600, left / 60 % 60, left % 60) + " left");
    }

    private static String held(final TransferState.Held held) {
        return "held: " + held.reason() + "; remove the cause, then release the job with mgrelease";
    }

    /** A sentence about the state, with the present transfer in it. */
    static String of(final GlobalJob job, final @Nullable JobObserved local, final @Nullable Transfer transfer) {
        final String text =
                local == null || local.state().isWaiting() || job.hold() != null ? of(job, local) : of(local.state());
        return transfer == null || job.hold() != null ? text : text + ": " + of(transfer.state());
    }

    static String of(final TransferState state) {
        return switch (state) {
            case TransferState.Planned s -> "planned: " + s.reason();
            case TransferState.Copying s ->
                "copying" + progress(s) + (s.failures() == 0 ? "" : ", after " + s.failures() + " failed attempts");
            case TransferState.Held s -> held(s);
            case TransferState.Verified s -> "verified: " + s.detail();
            case TransferState.Failed s -> "failed: " + s.reason();
            case TransferState.Cancelled s -> "cancelled: " + s.reason();
        };
    }
}
