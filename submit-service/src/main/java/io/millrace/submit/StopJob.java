package io.millrace.submit;

import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.StopRequested;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.RequestRefused;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Asks for the stop of a job. Asking twice is asking once. */
@ApplicationScoped
public class StopJob {

    private static final Logger LOG = Logger.getLogger(StopJob.class);
    private static final int MAX_REASON = 1000;

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
     * @param at where the log has it; null if the stop was asked for before
     */
    public record Accepted(StopRequested stop, @Nullable LogPosition at) {}

    /** @throws RequestRefused if there is no such job of the caller, or it is over already */
    public Accepted stop(final Caller caller, final String idOrPrefix, final @Nullable String why) {
        final ReadModel.JobDetails shown = model.job(caller, idOrPrefix);
        final GlobalJob job = shown.stored().job();
        if (job.state().isFinal()) {
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "job " + job.id() + " is over since " + job.since() + " ("
                            + job.state().word() + "): nothing to stop");
        }
        final StopRequested earlier = shown.stored().stop();
        if (earlier != null) {
            return new Accepted(earlier, null);
        }
        final StopRequested stop = new StopRequested(
                job.id(), caller.user(), clock.instant().truncatedTo(ChronoUnit.MILLIS), reason(caller, why));
        final LogPosition at = log.put(stop);
        LOG.infof("stop asked for: jobId=%s by=%s reason=%s", job.id(), caller.user(), stop.reason());
        projection.passed(at);
        return new Accepted(stop, at);
    }

    private static String reason(final Caller caller, final @Nullable String why) {
        final String reason = why == null || why.isBlank() ? "stopped by " + caller.user() : why.strip();
        if (reason.length() > MAX_REASON) {
            throw RequestRefused.invalid("reason", "must have at most " + MAX_REASON + " characters, got " + reason.length());
        }
        return reason;
    }
}
