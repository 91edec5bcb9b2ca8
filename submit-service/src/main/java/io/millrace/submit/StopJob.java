package io.millrace.submit;

import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.StopRequested;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests the stop of a job; idempotent. */
@ApplicationScoped
public class StopJob {

    private static final Logger LOG = LoggerFactory.getLogger(StopJob.class);

    private final EventPublisher log;
    private final ReadModel model;
    private final WaitForProjection projection;
    private final Clock clock;

    StopJob(final EventPublisher log, final ReadModel model, final WaitForProjection projection, final Clock clock) {
        this.log = log;
        this.model = model;
        this.projection = projection;
        this.clock = clock;
    }

    /**
     * @param position of the request on the log; null if the stop was requested before
     */
    public record Accepted(StopRequested stop, @Nullable LogPosition position) {}

    /** @throws RequestRefused if the job does not exist for the caller or has ended */
    public Accepted stop(final Caller caller, final String idOrPrefix, final @Nullable String requestedReason) {
        final ReadModel.JobDetails shown = model.job(caller, idOrPrefix);
        final GlobalJob job = shown.stored().job();
        if (job.state().isFinal()) {
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "job " + job.id() + " ended at " + job.since() + " ("
                            + job.state().word() + ") and cannot be stopped");
        }
        final StopRequested earlier = shown.stored().stop();
        if (earlier != null) {
            return new Accepted(earlier, null);
        }
        final StopRequested stop = new StopRequested(
                job.id(),
                caller.user(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS),
                ReasonText.of(requestedReason, "stopped by " + caller.user()));
        final LogPosition at = log.publish(stop);
        LOG.atInfo()
                .addKeyValue("jobId", job.id())
                .addKeyValue("user", caller.user())
                .addKeyValue("reason", stop.reason())
                .log("stop requested");
        projection.passed(at);
        return new Accepted(stop, at);
    }
}
