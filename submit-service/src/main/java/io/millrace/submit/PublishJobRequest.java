package io.millrace.submit;

import io.millrace.model.BatchId;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobStatus;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.model.policy.Request;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.projection.WaitForProjection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes requests about existing jobs and waits until queries show them. */
@ApplicationScoped
class PublishJobRequest {

    private static final Logger LOG = LoggerFactory.getLogger(PublishJobRequest.class);

    private final EventPublisher log;
    private final WaitForProjection projection;
    private final Clock clock;

    PublishJobRequest(final EventPublisher log, final WaitForProjection projection, final Clock clock) {
        this.log = log;
        this.projection = projection;
        this.clock = clock;
    }

    /** The time of a request. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Publishes what another service decides; queries do not show it at once. */
    void publish(final Request request) {
        log.publish(request);
    }

    /** @param message for the service's log, e.g. {@code hold requested} */
    LogPosition publish(final Caller caller, final SubmissionEvent request, final String message) {
        final LogPosition at = log.publish(request);
        LOG.atInfo()
                .addKeyValue("jobId", request.job())
                .addKeyValue("user", caller.user())
                .log(message);
        projection.passed(at);
        return at;
    }

    /** Publishes requests about jobs of a batch. */
    LogPosition publish(
            final Caller caller, final BatchId batch, final List<SubmissionEvent> all, final String message) {
        final LogPosition at = log.publishAll(all);
        LOG.atInfo()
                .addKeyValue("batch", batch)
                .addKeyValue("jobs", all.size())
                .addKeyValue("user", caller.user())
                .log(message);
        projection.passed(at);
        return at;
    }

    /**
     * @param change what was requested, e.g. {@code held}
     * @throws RequestRefused if the job has ended
     */
    static void requireUnfinished(final GlobalJob job, final String change) {
        if (job.state().isFinal()) {
            throw conflict(
                    job,
                    "ended at " + job.since() + " (" + JobStatus.of(job, null).word() + ") and cannot be " + change);
        }
    }

    /** @param reason continues {@code job 01ABC...} */
    static RequestRefused conflict(final GlobalJob job, final String reason) {
        return new RequestRefused(RequestRefused.Kind.CONFLICT, "job " + job.id() + " " + reason);
    }
}
