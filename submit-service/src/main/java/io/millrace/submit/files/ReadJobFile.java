package io.millrace.submit.files;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.file.FileRequest;
import io.millrace.model.file.FileResult;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.EventPublisher;
import io.millrace.submit.ReadModel;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobFolder;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.submission.Ulid;
import io.millrace.submit.identity.SubmissionSigner;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.LatestEvents;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads files of a job through the agent of the cluster where they are. */
@ApplicationScoped
public class ReadJobFile {

    private static final Logger LOG = LoggerFactory.getLogger(ReadJobFile.class);

    /** Limit of open requests of one user, so that no user keeps an agent busy. */
    private static final int OF_A_USER = 4;

    private static final int OF_ALL = 100;

    private final EventPublisher log;
    private final FileAnswers answers;
    private final ReadModel model;
    private final Clusters clusters;
    private final LatestEvents facts;
    private final SubmissionSigner signer;
    private final SubmitSettings settings;
    private final Clock clock;
    private final RandomGenerator random;
    private final Semaphore free = new Semaphore(OF_ALL);
    private final Map<UserName, Integer> open = new ConcurrentHashMap<>();

    ReadJobFile(
            final EventPublisher log,
            final FileAnswers answers,
            final ReadModel model,
            final Clusters clusters,
            final LatestEvents facts,
            final SubmissionSigner signer,
            final SubmitSettings settings,
            final Clock clock,
            final RandomGenerator random) {
        this.log = log;
        this.answers = answers;
        this.model = model;
        this.clusters = clusters;
        this.facts = facts;
        this.signer = signer;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
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
    public record Found(GlobalJob job, JobFolder folder, String path, FileResult result) {}

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
        requireAgent(folder.cluster());
        final FileResult result = limited(caller, () -> ask(caller, job, folder, path, selection));
        return switch (result) {
            case FileResult.Content content -> new Found(job, folder, path, content);
            case FileResult.Listing listing -> new Found(job, folder, path, listing);
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
                ? "has not started; it is " + local.state().word() + " on " + local.cluster()
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

    private void requireAgent(final ClusterId cluster) {
        final ClusterStatus status = QuarkusTransaction.requiringNew()
                .call(() -> clusters.find(cluster))
                .orElseThrow(() -> unavailable("cluster '" + cluster + "', which has the files, has no agent now"));
        if (status.health(clock.instant(), settings.unavailableAfter()) == ClusterStatus.Health.UNAVAILABLE) {
            throw unavailable("the files are on '" + cluster + "', whose agent has not reported since "
                    + status.recordedAt() + "; retry when it is back");
        }
    }

    private interface Reading {
        FileResult result();
    }

    private FileResult limited(final Caller caller, final Reading reading) {
        if (open.merge(caller.user(), 1, Integer::sum) > OF_A_USER) {
            done(caller);
            throw new RequestRefused(
                    RequestRefused.Kind.TOO_MANY,
                    "user '" + caller.user() + "' has " + OF_A_USER + " open requests for files; wait for one of them");
        }
        if (!free.tryAcquire()) {
            done(caller);
            throw unavailable("too many files are being read; retry");
        }
        try {
            return reading.result();
        } finally {
            free.release();
            done(caller);
        }
    }

    private void done(final Caller caller) {
        open.computeIfPresent(caller.user(), (user, count) -> count == 1 ? null : count - 1);
    }

    private FileResult ask(
            final Caller caller,
            final GlobalJob job,
            final JobFolder folder,
            final String path,
            final Selection selection) {
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final String id = Ulid.random(now, random).value();
        final FileRequest request = new FileRequest(
                id,
                folder.cluster(),
                job.submission().owner(),
                job.id(),
                folder.directory(),
                path,
                selection.offset(),
                selection.length(),
                caller.user(),
                now.plus(settings.fileTimeout()).plus(settings.clockSkew()),
                "");
        if (!caller.user().equals(job.submission().owner())) {
            LOG.atInfo()
                    .addKeyValue("jobId", job.id())
                    .addKeyValue("user", caller.user())
                    .log(
                            "operator reads '{}' of user '{}'",
                            path,
                            job.submission().owner());
        }
        final CompletableFuture<FileResult> answer = answers.expect(id);
        try {
            log.publish(signer.sign(request, now));
            return answer.get(settings.fileTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw unavailable("the agent of '" + folder.cluster() + "' did not answer within "
                    + settings.fileTimeout().toSeconds() + " s; retry");
        } catch (ExecutionException e) {
            throw new IllegalStateException("an answer never fails", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("the service is stopping; repeat the request");
        } finally {
            answers.forget(id);
        }
    }

    private static RequestRefused unavailable(final String reason) {
        return new RequestRefused(RequestRefused.Kind.UNAVAILABLE, reason);
    }
}
