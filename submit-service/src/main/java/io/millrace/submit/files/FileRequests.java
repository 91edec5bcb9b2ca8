package io.millrace.submit.files;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.file.FileRequest;
import io.millrace.model.file.FileResult;
import io.millrace.model.protocol.Topic;
import io.millrace.model.transfer.FilterRule;
import io.millrace.submit.EventPublisher;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.submission.ClusterEligibility;
import io.millrace.submit.domain.submission.Ulid;
import io.millrace.submit.identity.SubmissionSigner;
import io.millrace.submit.store.Clusters;
import io.millrace.submit.store.LatestEvents;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Asks the agent of a cluster about files of a user, and waits for the answer. */
@ApplicationScoped
public class FileRequests {

    /** Limit of open requests of one user, so that no user keeps an agent busy. */
    private static final int OF_A_USER = 4;

    private static final int OF_ALL = 100;

    private final EventPublisher log;
    private final FileAnswers answers;
    private final Clusters clusters;
    private final LatestEvents facts;
    private final SubmissionSigner signer;
    private final Clock clock;
    private final RandomGenerator random;
    private final Semaphore free = new Semaphore(OF_ALL);
    private final Map<UserName, Integer> open = new ConcurrentHashMap<>();

    FileRequests(
            final EventPublisher log,
            final FileAnswers answers,
            final Clusters clusters,
            final LatestEvents facts,
            final SubmissionSigner signer,
            final Clock clock,
            final RandomGenerator random) {
        this.log = log;
        this.answers = answers;
        this.clusters = clusters;
        this.facts = facts;
        this.signer = signer;
        this.clock = clock;
        this.random = random;
    }

    /**
     * The directory of a job on a cluster.
     *
     * @param owner with whose rights the agent reads
     */
    record Folder(ClusterId cluster, UserName owner, GlobalJobId job, String directory) {}

    /** What is requested, see {@link FileRequest}. */
    record Question(
            String path,
            @Nullable Long offset,
            int length,
            @Nullable List<FilterRule> copyFilter) {}

    /** @throws RequestRefused if the agent cannot be asked now or does not answer in time */
    FileResult answer(final Caller caller, final Folder folder, final Question question) {
        requireAccepted(caller.issuer(), folder.cluster());
        requireAgent(folder.cluster());
        return limited(caller, () -> ask(caller, folder, question));
    }

    /** S-1: reading files is acting as their owner on the cluster, which must accept the login. */
    private void requireAccepted(final @Nullable ClusterId issuer, final ClusterId cluster) {
        final Optional<SiteMappingObserved> mapping = QuarkusTransaction.requiringNew()
                .call(() ->
                        facts.find(Topic.CLUSTER_STATE, SiteMappingObserved.keyOf(cluster), SiteMappingObserved.class));
        ClusterEligibility.issuerObstacle(issuer, cluster, mapping.orElse(null)).ifPresent(veto -> {
            throw new RequestRefused(RequestRefused.Kind.FORBIDDEN, veto.reason());
        });
    }

    private void requireAgent(final ClusterId cluster) {
        final ClusterStatus status = QuarkusTransaction.requiringNew()
                .call(() -> clusters.find(cluster))
                .orElseThrow(() -> unavailable("cluster '" + cluster + "', which has the files, has no agent now"));
        if (status.health(clock.instant(), SubmitSettings.UNAVAILABLE_AFTER) == ClusterStatus.Health.UNAVAILABLE) {
            throw unavailable("the files are on '" + cluster + "', whose agent has not reported since "
                    + status.recordedAt() + "; retry when it is back");
        }
    }

    private FileResult limited(final Caller caller, final Supplier<FileResult> reading) {
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
            return reading.get();
        } finally {
            free.release();
            done(caller);
        }
    }

    private void done(final Caller caller) {
        open.computeIfPresent(caller.user(), (user, count) -> count == 1 ? null : count - 1);
    }

    private FileResult ask(final Caller caller, final Folder folder, final Question question) {
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final String id = Ulid.random(now, random).value();
        final FileRequest request = new FileRequest(
                id,
                folder.cluster(),
                folder.owner(),
                folder.job(),
                folder.directory(),
                question.path(),
                question.offset(),
                question.length(),
                question.copyFilter(),
                caller.user(),
                now.plus(SubmitSettings.FILE_TIMEOUT).plus(SubmitSettings.CLOCK_SKEW),
                "");
        final CompletableFuture<FileResult> answer = answers.expect(folder.cluster(), id);
        try {
            log.publish(signer.sign(request));
            return answer.get(SubmitSettings.FILE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw unavailable("the agent of '" + folder.cluster() + "' did not answer within "
                    + SubmitSettings.FILE_TIMEOUT.toSeconds() + " s; retry");
        } catch (ExecutionException e) {
            throw new IllegalStateException("an answer never fails", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("the service is stopping; repeat the request");
        } finally {
            answers.forget(folder.cluster(), id);
        }
    }

    private static RequestRefused unavailable(final String reason) {
        return new RequestRefused(RequestRefused.Kind.UNAVAILABLE, reason);
    }
}
