package io.millrace.migration.domain.attempt;

import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.TransferId;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.GlobalJobState.Downloading;
import io.millrace.model.job.GlobalJobState.Uploading;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.Place;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The requests to transfer-service that a state change of a job causes, written once in the transaction of that change. */
public final class TransferRequests {

    private TransferRequests() {}

    public static List<Request> of(
            final GlobalJob before, final GlobalJob after, final TargetClusters clusters, final Instant now) {
        final TransferId given = abandoned(before, after);
        if (given != null) {
            return List.of(new Request.TransferCancelRequested(given, "the attempt was given up", now));
        }
        final Attempt attempt = after.attempt();
        if (attempt == null) {
            return List.of();
        }
        final AttemptId id = after.id().attempt(attempt.number());
        final Place home =
                place(clusters, after.submission().source(), after.submission().directory());
        final Place guest = place(clusters, attempt.cluster(), attempt.directory());
        final boolean entered = before.state().getClass() != after.state().getClass();
        if (entered && after.state() instanceof Uploading up) {
            return List.of(new Request.TransferRequested(
                    up.transfer(),
                    id,
                    after.submission().owner(),
                    home,
                    guest,
                    now,
                    null,
                    after.submission().filters().inputs(),
                    after.submission().signature()));
        }
        if (entered && after.state() instanceof Downloading down) {
            return List.of(new Request.TransferRequested(
                    down.transfer(),
                    id,
                    after.submission().owner(),
                    guest,
                    home,
                    now,
                    attempt.startedAt(),
                    after.submission().filters().results(),
                    after.submission().signature()));
        }
        final TransferId unwanted = unwanted(before, after);
        return unwanted == null
                ? List.of()
                : List.of(new Request.TransferCancelRequested(unwanted, "the job is stopped", now));
    }

    /** The upload of an attempt that ended because its cluster was drained or fenced, or had no room. */
    private static @Nullable TransferId abandoned(final GlobalJob before, final GlobalJob after) {
        final Attempt last = after.attempt();
        return before.state() instanceof Uploading up
                        && last != null
                        && last.end() != null
                        && (last.hasEnded(AttemptEnd.Cause.DRAINED)
                                || last.hasEnded(AttemptEnd.Cause.FENCED)
                                || last.end().cause().isNoRoom())
                ? up.transfer()
                : null;
    }

    /** The running transfer that a stop makes unnecessary. */
    private static @Nullable TransferId unwanted(final GlobalJob before, final GlobalJob after) {
        if (before.stop() == null && after.stop() != null && after.state() instanceof Uploading up) {
            return up.transfer();
        }
        return before.state() instanceof Downloading down && after.state() instanceof GlobalJobState.Stopped
                ? down.transfer()
                : null;
    }

    private static Place place(final TargetClusters clusters, final ClusterId cluster, final String directory) {
        final RevisionClosed marker = clusters.of(cluster).marker();
        return new Place(cluster, marker == null ? null : marker.dataHost(), Objects.requireNonNull(directory));
    }
}
