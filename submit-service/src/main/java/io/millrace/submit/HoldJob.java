package io.millrace.submit;

import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that a job does not start until it is released, and its release. Requests are repeatable: migration-service ignores one that
 * changes nothing.
 */
@ApplicationScoped
public class HoldJob {

    private static final Logger LOG = LoggerFactory.getLogger(HoldJob.class);

    private final EventPublisher log;
    private final ReadModel model;
    private final WaitForProjection projection;
    private final Clock clock;

    HoldJob(final EventPublisher log, final ReadModel model, final WaitForProjection projection, final Clock clock) {
        this.log = log;
        this.model = model;
        this.projection = projection;
        this.clock = clock;
    }

    /** @throws RequestRefused if the job does not exist for the caller, or can no longer be kept from starting */
    public LogPosition hold(final Caller caller, final String idOrPrefix, final @Nullable String reason) {
        final ReadModel.JobDetails shown = model.job(caller, idOrPrefix);
        final GlobalJob job = shown.stored().job();
        requireNotStarted(job, shown.local());
        return publish(
                caller,
                new HoldRequested(
                        job.id(),
                        caller.user(),
                        clock.instant().truncatedTo(ChronoUnit.MILLIS),
                        ReasonText.of(reason, "held by " + caller.user())),
                "hold requested");
    }

    /** @throws RequestRefused if the job does not exist for the caller, has ended, or was held by someone whose hold stays */
    public LogPosition release(final Caller caller, final String idOrPrefix) {
        final ReadModel.JobDetails shown = model.job(caller, idOrPrefix);
        final GlobalJob job = shown.stored().job();
        if (job.state().isFinal()) {
            throw conflict("job " + job.id() + " ended at " + job.since() + " ("
                    + job.state().word() + ") and cannot be released");
        }
        if (job.holdKind() == HoldKind.OPERATOR && !caller.operator()) {
            throw new RequestRefused(
                    RequestRefused.Kind.FORBIDDEN,
                    "job " + job.id() + " was held by an operator; only an operator can release it");
        }
        if (job.hold() == null && shown.local() != null) {
            requireNoOtherHold(job, shown.local());
        }
        return publish(
                caller,
                new ReleaseRequested(job.id(), caller.user(), clock.instant().truncatedTo(ChronoUnit.MILLIS)),
                "release requested");
    }

    private static void requireNotStarted(final GlobalJob job, final @Nullable JobObserved local) {
        if (job.state().isFinal()) {
            throw conflict("job " + job.id() + " ended at " + job.since() + " ("
                    + job.state().word() + ") and cannot be held");
        }
        if (job.state() instanceof GlobalJobState.Downloading) {
            throw conflict("the run of job " + job.id()
                    + " has ended, so it cannot be held; wait for its results, or stop" + " it with mgstop");
        }
        if (local != null && !local.state().isWaiting()) {
            throw conflict("job " + job.id() + " is " + local.state().word() + " on " + local.cluster()
                    + "; only waiting jobs can be held. Stop it with mgstop");
        }
    }

    private static void requireNoOtherHold(final GlobalJob job, final JobObserved local) {
        if (local.state() instanceof JobState.Held held
                && (held.by() == HoldKind.USER || held.by() == HoldKind.OPERATOR)) {
            throw conflict("job " + job.id() + " was held as " + local.job().id()
                    + " with the commands of the cluster, not by Millrace; release it there");
        }
    }

    private static RequestRefused conflict(final String reason) {
        return new RequestRefused(RequestRefused.Kind.CONFLICT, reason);
    }

    private LogPosition publish(final Caller caller, final SubmissionEvent request, final String message) {
        final LogPosition at = log.publish(request);
        LOG.atInfo()
                .addKeyValue("jobId", request.job())
                .addKeyValue("user", caller.user())
                .log(message);
        projection.passed(at);
        return at;
    }
}
