package io.millrace.submit.domain.job;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.script.StandardStreams;
import io.millrace.script.wrapper.OutputFile;
import io.millrace.submit.domain.RequestRefused;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Where the files of a job are at the moment: on the cluster where it runs, afterwards in the directory that receives the results. */
public record JobFolder(ClusterId cluster, String directory) {

    private static final String NOTHING = "/dev/null";

    /** A standard stream of a job. */
    public enum Stream {
        OUTPUT,
        /** The file of the output, unless errors have their own file. */
        ERROR
    }

    /** @throws RequestRefused if the job has not been placed, or its files are on the way */
    public static JobFolder of(final GlobalJob job) {
        return switch (job.state()) {
            case GlobalJobState.Waiting waiting ->
                throw conflict("job " + job.id() + " has not started; it waits for a cluster, and its files are in "
                        + home(job));
            case GlobalJobState.Uploading uploading ->
                throw conflict("job " + job.id() + " has not started; its files are being copied from " + home(job)
                        + " to " + placed(job).cluster());
            case GlobalJobState.Making making -> there(job);
            case GlobalJobState.Submitted submitted -> there(job);
            case GlobalJobState.Downloading downloading -> there(job);
            case GlobalJobState.End end -> here(job);
            case GlobalJobState.Aborted aborted -> here(job);
            case GlobalJobState.Stopped stopped -> here(job);
        };
    }

    /**
     * The path of a standard stream of the newest run, in the directory of the job.
     *
     * @param account the owner's account on a cluster
     * @throws RequestRefused if it is not kept or the job has not run
     */
    public static String file(final GlobalJob job, final Stream stream, final UnaryOperator<UserName> account) {
        final Attempt attempt = job.attempt();
        if (attempt == null) {
            throw conflict("job " + job.id() + " was never placed on a cluster, so it has no output");
        }
        final AttemptId id = new AttemptId(job.id(), attempt.number());
        final StandardStreams names = StandardStreams.of(
                job.submission().spec(),
                id,
                attempt.cluster(),
                account.apply(job.submission().owner()));
        final String own = stream == Stream.ERROR && names.error() != null ? names.error() : names.output();
        final String file = own == null ? OutputFile.of(id) : own;
        if (file.equals(NOTHING)) {
            throw conflict("job " + job.id() + " discards this output (" + NOTHING + ")");
        }
        return file;
    }

    private static JobFolder there(final GlobalJob job) {
        return new JobFolder(placed(job).cluster(), placed(job).directory());
    }

    private static JobFolder here(final GlobalJob job) {
        return new JobFolder(job.submission().source(), job.submission().directory());
    }

    private static Attempt placed(final GlobalJob job) {
        return Objects.requireNonNull(job.attempt(), "a placed job has an attempt");
    }

    private static String home(final GlobalJob job) {
        return job.submission().directory() + " on " + job.submission().source();
    }

    private static RequestRefused conflict(final String reason) {
        return new RequestRefused(RequestRefused.Kind.CONFLICT, reason);
    }
}
