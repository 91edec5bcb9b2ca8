package io.millrace.submit.files;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.file.FileResult;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobStatus;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.ReadModel;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobFolder;
import io.millrace.submit.store.LatestEvents;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads files of a job through the agent of the cluster where they are. */
@ApplicationScoped
public class ReadJobFile {

    private static final Logger LOG = LoggerFactory.getLogger(ReadJobFile.class);

    private final FileRequests requests;
    private final ReadModel model;
    private final LatestEvents facts;

    ReadJobFile(final FileRequests requests, final ReadModel model, final LatestEvents facts) {
        this.requests = requests;
        this.model = model;
        this.facts = facts;
    }

    /**
     * What to read.
     *
     * @param path of a file or folder in the job's directory; null: the stream
     * @param offset first byte; null: the end of the file is read
     */
    public record Selection(
            @Nullable String path,
            JobFolder.Stream stream,
            @Nullable Long offset,
            int length) {}

    /** A content or a listing, and where it was read. */
    public record Found(GlobalJob job, JobStatus state, JobFolder folder, String path, FileResult result) {}

    /** @throws RequestRefused if the job does not exist for the caller, or the file cannot be read now */
    public Found read(final Caller caller, final String idOrPrefix, final Selection selection) {
        final ReadModel.JobDetails shown = model.job(caller, idOrPrefix);
        final GlobalJob job = shown.stored().job();
        final JobFolder folder = JobFolder.of(job);
        final String path = selection.path() == null
                ? JobFolder.file(
                        job,
                        selection.stream(),
                        owner -> account(
                                job.attempt() == null
                                        ? folder.cluster()
                                        : job.attempt().cluster(),
                                owner))
                : selection.path();
        return switch (ask(caller, job, folder, path, selection)) {
            case FileResult.Content content -> new Found(job, shown.stored().state(), folder, path, content);
            case FileResult.Listing listing -> new Found(job, shown.stored().state(), folder, path, listing);
            case FileResult.CopySize size -> throw new IllegalStateException("the agent answered another question");
            case FileResult.Missing missing ->
                throw selection.path() == null
                        ? noOutput(job, shown.local(), missing.reason())
                        : RequestRefused.notFound(missing.reason());
            case FileResult.Refused refused -> throw new RequestRefused(RequestRefused.Kind.CONFLICT, refused.reason());
            case FileResult.Busy busy -> throw new RequestRefused(RequestRefused.Kind.UNAVAILABLE, busy.reason());
        };
    }

    private static RequestRefused noOutput(
            final GlobalJob job, final @Nullable JobObserved local, final String reason) {
        final String text = local != null && local.state().isWaiting()
                ? "has not started; it is " + JobStatus.of(local).word() + " on " + local.cluster()
                : "has no output: " + reason;
        return new RequestRefused(RequestRefused.Kind.CONFLICT, "job " + job.id() + " " + text);
    }

    private UserName account(final ClusterId cluster, final UserName owner) {
        return QuarkusTransaction.requiringNew()
                .call(() ->
                        facts.find(Topic.CLUSTER_STATE, SiteMappingObserved.keyOf(cluster), SiteMappingObserved.class))
                .map(mapping -> mapping.accounts().getOrDefault(owner, owner))
                .orElse(owner);
    }

    private FileResult ask(
            final Caller caller,
            final GlobalJob job,
            final JobFolder folder,
            final String path,
            final Selection selection) {
        if (!caller.user().equals(job.submission().owner())) {
            LOG.atInfo()
                    .addKeyValue("jobId", job.id())
                    .addKeyValue("user", caller.user())
                    .log(
                            "operator reads '{}' of user '{}'",
                            path,
                            job.submission().owner());
        }
        return requests.answer(
                caller,
                new FileRequests.Folder(folder.cluster(), job.submission().owner(), job.id(), folder.directory()),
                new FileRequests.Question(path, selection.offset(), selection.length(), null));
    }
}
