package io.millrace.submit;

import io.millrace.model.GlobalJobId;
import io.millrace.model.IdempotencyKey;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobNumber;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobStatus;
import io.millrace.model.job.JobSubmitted;
import io.millrace.script.NumberVariables;
import io.millrace.submit.clusters.KnownClusters;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobProgress;
import io.millrace.submit.domain.job.StoredJob;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.submission.DependencyValidator;
import io.millrace.submit.domain.submission.Digests;
import io.millrace.submit.domain.submission.JobRequest;
import io.millrace.submit.domain.submission.JobValidator;
import io.millrace.submit.domain.submission.MailSender;
import io.millrace.submit.domain.submission.Ulid;
import io.millrace.submit.domain.submission.ValidJob;
import io.millrace.submit.identity.Issuers;
import io.millrace.submit.identity.Projects;
import io.millrace.submit.identity.SubmissionSigner;
import io.millrace.submit.limits.SubmissionLimits;
import io.millrace.submit.projection.WaitForProjection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts a job and publishes its submission, once per idempotency key. */
@ApplicationScoped
public class SubmitJob {

    private static final Logger LOG = LoggerFactory.getLogger(SubmitJob.class);

    private final EventPublisher log;
    private final ReadModel model;
    private final KnownClusters clusters;
    private final CheckFeasibility feasibility;
    private final CheckDependencies dependencies;
    private final JobNumbers numbers;
    private final FirstSubmissions firstSubmissions;
    private final WaitForProjection projection;
    private final MailServer mail;
    private final Issuers issuers;
    private final Projects projects;
    private final SubmissionSigner signer;
    private final SubmissionLimits limits;
    private final Clock clock;
    private final RandomGenerator random;

    SubmitJob(
            final EventPublisher log,
            final ReadModel model,
            final KnownClusters clusters,
            final CheckFeasibility feasibility,
            final CheckDependencies dependencies,
            final JobNumbers numbers,
            final FirstSubmissions firstSubmissions,
            final WaitForProjection projection,
            final MailServer mail,
            final Issuers issuers,
            final Projects projects,
            final SubmissionSigner signer,
            final SubmissionLimits limits,
            final Clock clock,
            final RandomGenerator random) {
        this.log = log;
        this.model = model;
        this.clusters = clusters;
        this.feasibility = feasibility;
        this.dependencies = dependencies;
        this.numbers = numbers;
        this.firstSubmissions = firstSubmissions;
        this.projection = projection;
        this.mail = mail;
        this.issuers = issuers;
        this.projects = projects;
        this.signer = signer;
        this.limits = limits;
        this.clock = clock;
        this.random = random;
    }

    /**
     * An accepted job.
     *
     * @param position of the submission on the log; null if an earlier request with the same key was accepted
     * @param notes options of the script that are left out
     */
    public record Accepted(
            ReadModel.JobDetails job, @Nullable LogPosition position, List<String> notes) {
        public Accepted {
            notes = List.copyOf(notes);
        }
    }

    /**
     * Returns when the broker has stored the submission.
     *
     * @param key idempotency key of the client; null for none
     * @throws RequestRefused if the request is invalid, no cluster can ever run the job, or another job was accepted with this key
     */
    public Accepted submit(final Caller caller, final JobRequest request, final @Nullable String key) {
        caller.requireOrdinaryUser();
        final ValidJob valid = MailSender.applied(
                JobValidator.validate(request, clusters.namesIn(request), clusters::lsfMemory, model.namedBy(caller)),
                mail.isConfigured());
        if (valid.isBatch()) {
            throw new RequestRefused(
                    RequestRefused.Kind.INVALID,
                    "the request is for several jobs (an array or several directories); post it to /api/v1/batches");
        }
        issuers.requireSource(caller, valid.source());
        projects.requireMember(caller.user(), valid.spec().project());
        dependencies.check(caller, valid.dependency());
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final List<String> noted = DependencyValidator.notes(request, valid);
        return key == null
                ? submit(job(Ulid.random(now, random), caller, valid, now), noted)
                : submitOnce(job(Ulid.derived(caller.user(), checkedKey(key)), caller, valid, now), noted);
    }

    /** The id is unique, so the job is accepted before the read model contains it. */
    private Accepted submit(final JobSubmitted job, final List<String> noted) {
        final List<String> notes = notes(noted, job);
        limits.use(job, 1);
        return accepted(job, log.publish(job), notes);
    }

    private Accepted submitOnce(final JobSubmitted job, final List<String> noted) {
        final long knownFrom = firstSubmissions.knownFrom();
        final Optional<ReadModel.JobDetails> earlier = earlier(job.job());
        if (earlier.isPresent()) {
            requireSame(earlier.get(), job);
            return new Accepted(earlier.get(), null, List.of());
        }
        final List<String> notes = notes(noted, job);
        limits.use(job, 1);
        final LogPosition at = log.publish(job);
        if (firstSubmissions.isFirst(job.job(), at, knownFrom)) {
            return accepted(job, at, notes);
        }
        if (!projection.passed(at)) {
            throw new RequestRefused(
                    RequestRefused.Kind.UNAVAILABLE,
                    "the request is on the log, but it is unknown whether it was the first with its key; repeat it with"
                            + " the same Idempotency-Key");
        }
        final ReadModel.JobDetails first = model.shown(job.job()).orElseThrow();
        requireSame(first, job);
        if (first.stored().job().submission().submittedAt().equals(job.submittedAt())) {
            logAccepted(job); // otherwise a concurrent request with the same key was the first
        }
        return new Accepted(first, at, notes);
    }

    private List<String> notes(final List<String> noted, final JobSubmitted job) {
        return Stream.concat(noted.stream(), feasibility.check(job).stream()).toList();
    }

    /** The job of an earlier request with the same key. */
    private Optional<ReadModel.JobDetails> earlier(final GlobalJobId job) {
        firstSubmissions.find(job).ifPresent(projection::passed);
        return model.shown(job);
    }

    private Accepted accepted(final JobSubmitted job, final LogPosition at, final List<String> notes) {
        logAccepted(job);
        final GlobalJob accepted = StoredJob.submitted(job);
        final StoredJob stored = new StoredJob(accepted, JobStatus.of(accepted, null), Digests.ofSubmission(job), null);
        return new Accepted(
                new ReadModel.JobDetails(stored, null, JobProgress.NONE, null, model.text(job.dependency())),
                at,
                notes);
    }

    private static void logAccepted(final JobSubmitted job) {
        LOG.atInfo()
                .addKeyValue("decision", "accepted")
                .addKeyValue("jobId", job.job())
                .addKeyValue("user", job.owner())
                .addKeyValue("cluster", job.target() == null ? "any" : job.target())
                .log("job accepted");
    }

    private JobSubmitted job(final GlobalJobId id, final Caller caller, final ValidJob valid, final Instant now) {
        final long number = numbers.next();
        final JobSpec spec = NumberVariables.added(valid.spec(), new JobNumber(number, null));
        final String signature = signer.submission(
                new Authorization.Origin(
                        caller.user(), caller.issuer(), id, valid.source(), valid.directory(), valid.files()),
                spec,
                now);
        return new JobSubmitted(
                id,
                number,
                caller.user(),
                spec,
                valid.source(),
                valid.directory(),
                valid.target(),
                now,
                signature,
                null,
                valid.dependency(),
                valid.request(),
                valid.files(),
                caller.issuer(),
                valid.held() ? true : null);
    }

    private static void requireSame(final ReadModel.JobDetails first, final JobSubmitted submission) {
        if (!first.stored().digest().equals(Digests.ofSubmission(submission))) {
            throw keyUsed(submission.job().value());
        }
    }

    static RequestRefused keyUsed(final String id) {
        return new RequestRefused(
                RequestRefused.Kind.INVALID,
                "the Idempotency-Key was used for another job (" + id + "); send a new key");
    }

    static String checkedKey(final String key) {
        if (!IdempotencyKey.isValid(key)) {
            throw new RequestRefused(RequestRefused.Kind.MALFORMED, "Idempotency-Key " + IdempotencyKey.RULE);
        }
        return key;
    }
}
