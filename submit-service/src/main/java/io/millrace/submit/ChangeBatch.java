package io.millrace.submit;

import io.millrace.model.BatchId;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stops, holds or releases the jobs of a batch. */
@ApplicationScoped
public class ChangeBatch {

    private final ReadModel model;
    private final StopJob stop;
    private final HoldJob hold;
    private final PublishJobRequest requests;

    ChangeBatch(final ReadModel model, final StopJob stop, final HoldJob hold, final PublishJobRequest requests) {
        this.model = model;
        this.stop = stop;
        this.hold = hold;
        this.requests = requests;
    }

    /**
     * A requested change.
     *
     * @param requested the number of jobs it was requested for
     * @param others the number of unfinished jobs for which it is not possible, or was requested before
     * @param position on the log; null if it was requested for no job
     */
    public record Requested(
            BatchId batch,
            int requested,
            int others,
            @Nullable LogPosition position) {}

    /** @throws RequestRefused if the batch does not exist for the caller, or all its jobs have ended */
    public Requested stop(final Caller caller, final BatchId batch, final @Nullable String reason) {
        return change(caller, batch, "stop", job -> stop.request(caller, job, reason));
    }

    /** Holds the jobs that have not started. */
    public Requested hold(final Caller caller, final BatchId batch, final @Nullable String reason) {
        return change(caller, batch, "hold", job -> Optional.of(hold.holdRequest(caller, job, reason)));
    }

    /** Releases the jobs that the caller may release. */
    public Requested release(final Caller caller, final BatchId batch) {
        return change(caller, batch, "release", job -> Optional.of(hold.releaseRequest(caller, job)));
    }

    private Requested change(
            final Caller caller,
            final BatchId batch,
            final String what,
            final Function<ReadModel.JobDetails, Optional<? extends SubmissionEvent>> request) {
        final List<ReadModel.JobDetails> jobs = model.unfinished(caller, batch);
        final List<SubmissionEvent> all = new ArrayList<>();
        for (final ReadModel.JobDetails job : jobs) {
            try {
                request.apply(job).ifPresent(all::add);
            } catch (final RequestRefused notThisJob) {
                // counted among the others
            }
        }
        return new Requested(
                batch,
                all.size(),
                jobs.size() - all.size(),
                all.isEmpty() ? null : requests.publish(caller, batch, all, what + " requested"));
    }
}
