package io.millrace.submit;

import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.StopRequested;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Requests the stop of a job; idempotent. */
@ApplicationScoped
public class StopJob {

    private final ReadModel model;
    private final PublishJobRequest requests;

    StopJob(final ReadModel model, final PublishJobRequest requests) {
        this.model = model;
        this.requests = requests;
    }

    /**
     * @param position of the request on the log; null if the stop was requested before
     */
    public record Accepted(StopRequested stop, @Nullable LogPosition position) {}

    /** @throws RequestRefused if the job does not exist for the caller or has ended */
    public Accepted stop(final Caller caller, final String idOrPrefix, final @Nullable String requestedReason) {
        final ReadModel.JobDetails shown = model.job(caller, idOrPrefix);
        final GlobalJob job = shown.stored().job();
        PublishJobRequest.requireUnfinished(job, "stopped");
        final StopRequested earlier = shown.stored().stop();
        if (earlier != null) {
            return new Accepted(earlier, null);
        }
        final StopRequested stop = stopOf(caller, shown, requestedReason);
        return new Accepted(stop, requests.publish(caller, stop, "stop requested"));
    }

    /** The request to stop one of several jobs; empty if it was requested before. */
    Optional<StopRequested> request(
            final Caller caller, final ReadModel.JobDetails shown, final @Nullable String reason) {
        return shown.stored().stop() == null ? Optional.of(stopOf(caller, shown, reason)) : Optional.empty();
    }

    private StopRequested stopOf(final Caller caller, final ReadModel.JobDetails shown, final @Nullable String reason) {
        return new StopRequested(shown.stored().job().id(), caller.user(), requests.now(), ReasonText.of(reason));
    }
}
