package io.millrace.submit;

import static io.millrace.submit.PublishJobRequest.conflict;
import static io.millrace.submit.PublishJobRequest.requireUnfinished;

import io.millrace.model.TransferId;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.policy.Request;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/**
 * Requests that a job does not start until it is released, and its release, also of the transfer that it waits for. Requests are repeatable: migration-service ignores one that
 * changes nothing.
 */
@ApplicationScoped
public class HoldJob {

    private final ReadModel model;
    private final PublishJobRequest requests;

    HoldJob(final ReadModel model, final PublishJobRequest requests) {
        this.model = model;
        this.requests = requests;
    }

    /** @throws RequestRefused if the job does not exist for the caller, or can no longer be kept from starting */
    public LogPosition hold(final Caller caller, final String idOrPrefix, final @Nullable String reason) {
        return requests.publish(caller, holdRequest(caller, model.job(caller, idOrPrefix), reason), "hold requested");
    }

    HoldRequested holdRequest(final Caller caller, final ReadModel.JobDetails shown, final @Nullable String reason) {
        final GlobalJob job = shown.stored().job();
        requireNotStarted(job, shown.local());
        return new HoldRequested(job.id(), caller.user(), requests.now(), ReasonText.of(reason));
    }

    /** @throws RequestRefused if the job does not exist for the caller, has ended, or was held by someone whose hold stays */
    public LogPosition release(final Caller caller, final String idOrPrefix) {
        return requests.publish(caller, releaseRequest(caller, model.job(caller, idOrPrefix)), "release requested");
    }

    /** Releases the transfer that the job waits for, and returns the request for the job itself. */
    ReleaseRequested releaseRequest(final Caller caller, final ReadModel.JobDetails shown) {
        final GlobalJob job = shown.stored().job();
        requireUnfinished(job, "released");
        if (job.holdKind() == HoldKind.OPERATOR && !caller.operator()) {
            throw new RequestRefused(
                    RequestRefused.Kind.FORBIDDEN,
                    "job " + job.id() + " was held by an operator; only an operator can release it");
        }
        if (job.hold() == null && shown.local() != null) {
            requireNoOtherHold(job, shown.local());
        }
        final TransferId transfer = job.state().transfer();
        if (transfer != null) {
            requests.publish(new Request.TransferReleaseRequested(transfer, caller.user(), requests.now()));
        }
        return new ReleaseRequested(job.id(), caller.user(), requests.now());
    }

    private static void requireNotStarted(final GlobalJob job, final @Nullable JobObserved local) {
        requireUnfinished(job, "held");
        if (job.state() instanceof GlobalJobState.Downloading) {
            throw conflict(job, "has ended its run and cannot be held; wait for its results, or stop it with mgstop");
        }
        if (local != null && !local.state().isWaiting()) {
            throw conflict(
                    job,
                    "is " + local.state().word() + " on " + local.cluster()
                            + "; only waiting jobs can be held. Stop it with mgstop");
        }
    }

    private static void requireNoOtherHold(final GlobalJob job, final JobObserved local) {
        if (local.state() instanceof JobState.Held held
                && (held.by() == HoldKind.USER || held.by() == HoldKind.OPERATOR)) {
            throw conflict(
                    job,
                    "was held as " + local.job().id()
                            + " with the commands of the cluster, not by Millrace; release it there");
        }
    }
}
