package io.millrace.submit.rest.jobs;

import io.millrace.model.cluster.JobState;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.transfer.TransferState;
import java.util.Locale;

/** States in one sentence for people. */
final class StateText {

    private StateText() {}

    static String of(final GlobalJobState state) {
        return switch (state) {
            case GlobalJobState.Waiting s -> s.reason();
            case GlobalJobState.Uploading s ->
                "its directory is on the way to the cluster (transfer " + s.transfer() + ")";
            case GlobalJobState.Making s ->
                "its make step runs (attempt " + s.attempt().number() + ")";
            case GlobalJobState.Submitted s -> submitted(s);
            case GlobalJobState.Downloading s ->
                "its run is over (" + OutcomeView.of(s.outcome()).detail() + "); the results are on the way home";
            case GlobalJobState.End s -> OutcomeView.of(s.outcome()).detail();
            case GlobalJobState.Aborted s -> s.reason();
            case GlobalJobState.Stopped s -> "stopped by " + s.by() + ": " + s.reason();
        };
    }

    private static String submitted(final GlobalJobState.Submitted state) {
        if (state.localJob() == null) {
            return "being handed to the workload manager";
        }
        return state.released()
                ? "in the queue as " + state.localJob().id()
                : "in the queue as " + state.localJob().id() + ", held";
    }

    static String of(final JobState state) {
        return switch (state) {
            case JobState.Queued s -> "waits in the queue";
            case JobState.Held s -> "held by the " + s.by().name().toLowerCase(Locale.ROOT) + " hold";
            case JobState.Running s -> "runs since " + s.startedAt() + " on " + s.nodes();
            case JobState.Suspended s -> "suspended; ran since " + s.startedAt();
            case JobState.Completing s -> "has ended, its nodes are being freed";
            case JobState.Unsettled s -> "left the queue; accounting has not said how it ended";
            case JobState.Unknown s -> "in state '" + s.code() + "', which Millrace does not know";
        };
    }

    static String of(final TransferState state) {
        return switch (state) {
            case TransferState.Planned s -> "planned: " + s.reason();
            case TransferState.Copying s ->
                "copying" + (s.failures() == 0 ? "" : ", after " + s.failures() + " failed tries");
            case TransferState.Verified s -> "verified: " + s.detail();
            case TransferState.Failed s -> "failed: " + s.reason();
            case TransferState.Cancelled s -> "dropped: " + s.reason();
        };
    }
}
