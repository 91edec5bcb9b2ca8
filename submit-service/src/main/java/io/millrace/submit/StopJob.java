package io.millrace.submit;

import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.StopRequested;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.Position;
import io.millrace.submit.domain.Refused;
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

    private final EventLog log;
    private final ReadModel model;
    private final AwaitProjection projection;
    private final Clock clock;

    StopJob(final EventLog log, final ReadModel model, final AwaitProjection projection, final Clock clock) {
        this.log = log;
        this.model = model;
        this.projection = projection;
        this.clock = clock;
    }

    /**
     * @param at where the log has it; null if the stop was asked for before
     */
    public record Asked(StopRequested stop, @Nullable Position at) {}

    /** @throws Refused if there is no such job of the caller, or it is over already */
    public Asked stop(final Caller caller, final String idOrPrefix, final @Nullable String why) {
        final ReadModel.Shown shown = model.job(caller, idOrPrefix);
        final GlobalJob job = shown.stored().job();
        if (job.state().isFinal()) {
            throw new Refused(
                    Refused.Kind.CONFLICT,
                    "job " + job.id() + " is over since " + job.since() + " ("
                            + job.state().word() + "): nothing to stop");
        }
        final StopRequested earlier = shown.stored().stop();
        if (earlier != null) {
            return new Asked(earlier, null);
        }
        final StopRequested stop = new StopRequested(
                job.id(), caller.user(), clock.instant().truncatedTo(ChronoUnit.MILLIS), reason(caller, why));
        final Position at = log.put(stop);
        LOG.infof("stop asked for: jobId=%s by=%s reason=%s", job.id(), caller.user(), stop.reason());
        projection.passed(at);
        return new Asked(stop, at);
    }

    private static String reason(final Caller caller, final @Nullable String why) {
        final String reason = why == null || why.isBlank() ? "stopped by " + caller.user() : why.strip();
        if (reason.length() > MAX_REASON) {
            throw Refused.invalid("reason", "must have at most " + MAX_REASON + " characters, got " + reason.length());
        }
        return reason;
    }
}
