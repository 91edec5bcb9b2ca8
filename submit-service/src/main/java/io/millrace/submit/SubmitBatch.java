package io.millrace.submit;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.job.JobNumber;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.script.NumberVariables;
import io.millrace.submit.clusters.KnownClusters;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.submission.CorrespondingJobs;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the jobs of a batch, and publishes their submissions together. If that fails in between, repeating the request with the same
 * idempotency key adds those that are missing.
 */
@ApplicationScoped
public class SubmitBatch {

    private static final Logger LOG = LoggerFactory.getLogger(SubmitBatch.class);

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

    SubmitBatch(
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
     * An accepted batch.
     *
     * @param number by which people name the batch
     * @param jobs how many it has
     * @param position of the last submission on the log; null if an earlier request with the same key was accepted
     * @param notes options of the script that are left out
     */
    public record Accepted(
            BatchId batch, long number, int jobs, @Nullable LogPosition position, List<String> notes) {
        public Accepted {
            notes = List.copyOf(notes);
        }
    }

    /**
     * Returns when the broker has stored all submissions.
     *
     * @param key idempotency key of the client; null for none
     * @throws RequestRefused if the request is invalid, no cluster can ever run the jobs, or another batch was accepted with this key
     */
    public Accepted submit(final Caller caller, final JobRequest request, final @Nullable String key) {
        caller.requireOrdinaryUser();
        final ValidJob valid = MailSender.applied(
                JobValidator.validate(request, clusters.namesIn(request), clusters::lsfMemory, model.namedBy(caller)),
                mail.isConfigured());
        if (!valid.isBatch()) {
            throw RequestRefused.invalid(
                    "directories", "is missing, and so is 'array'; send one of them, or submit a single job");
        }
        issuers.requireSource(caller, valid.source());
        projects.requireMember(caller.user(), valid.spec().project());
        dependencies.check(caller, valid.dependency());
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final BatchId batch = BatchId.around(
                key == null ? Ulid.random(now, random) : Ulid.derived(caller.user(), SubmitJob.checkedKey(key)));
        final long knownFrom = firstSubmissions.knownFrom();
        final Map<GlobalJobId, String> stored = key == null ? Map.of() : stored(batch);
        final long number = stored.isEmpty() ? numbers.next() : storedNumber(batch);
        final List<JobSubmitted> jobs = jobs(batch, number, caller, valid, now);
        final List<JobSubmitted> missing = missing(batch, jobs, stored);
        if (missing.isEmpty()) {
            return new Accepted(batch, number, jobs.size(), null, List.of());
        }
        final List<String> notes = new ArrayList<>(DependencyValidator.notes(request, valid));
        notes.addAll(feasibility.check(jobs.getFirst()));
        limits.use(jobs.getFirst(), missing.size());
        final Published published = key == null || missing.size() < jobs.size()
                ? new Published(number, log.publishAll(missing))
                : publishFirst(jobs, knownFrom, first -> jobs(batch, first, caller, valid, now));
        LOG.atInfo()
                .addKeyValue("decision", "accepted")
                .addKeyValue("batch", batch)
                .addKeyValue("jobs", jobs.size())
                .addKeyValue("user", caller.user())
                .log("batch accepted");
        return new Accepted(batch, published.number(), jobs.size(), published.position(), notes);
    }

    private List<JobSubmitted> jobs(
            final BatchId batch, final long number, final Caller caller, final ValidJob valid, final Instant now) {
        final UserName owner = caller.user();
        final List<JobSubmitted> jobs = new ArrayList<>();
        final List<CorrespondingJobs> others = valid.corresponding().stream()
                .map(other -> CorrespondingJobs.of(model.jobs(caller, other), other))
                .toList();
        for (final ValidJob.Member member : valid.jobs(batch, number)) {
            final GlobalJobId id = batch.job(jobs.size() + 1);
            final ValidJob job = member.job();
            final JobSpec spec = NumberVariables.added(
                    job.spec(), new JobNumber(number, member.place().index()));
            jobs.add(new JobSubmitted(
                    id,
                    number,
                    owner,
                    spec,
                    job.source(),
                    job.directory(),
                    job.target(),
                    now,
                    signer.submission(
                            new Authorization.Origin(
                                    owner, caller.issuer(), id, job.source(), job.directory(), job.files()),
                            spec,
                            now),
                    member.place(),
                    CorrespondingJobs.add(
                            job.dependency(), others, member.place().index()),
                    job.request(),
                    job.files(),
                    caller.issuer(),
                    job.held() ? true : null));
        }
        return jobs;
    }

    /** The digests of the jobs that earlier requests with the same key have added. */
    private Map<GlobalJobId, String> stored(final BatchId batch) {
        firstSubmissions.find(batch.job(1)).ifPresent(projection::passed);
        return model.digests(batch);
    }

    private static List<JobSubmitted> missing(
            final BatchId batch, final List<JobSubmitted> jobs, final Map<GlobalJobId, String> stored) {
        jobs.forEach(job -> requireSame(job, stored.get(job.job())));
        if (stored.size() > jobs.size()) {
            throw SubmitJob.keyUsed(batch.value());
        }
        return jobs.stream().filter(job -> !stored.containsKey(job.job())).toList();
    }

    /** @param position of the last submission */
    private record Published(long number, LogPosition position) {}

    /**
     * Publishes the first job before the others, so that of concurrent requests with the same key and other jobs only one is accepted.
     *
     * @param numbered the same jobs with another number
     */
    private Published publishFirst(
            final List<JobSubmitted> jobs, final long knownFrom, final LongFunction<List<JobSubmitted>> numbered) {
        final JobSubmitted first = jobs.getFirst();
        final LogPosition at = log.publish(first);
        List<JobSubmitted> all = jobs;
        if (!firstSubmissions.isFirst(first.job(), at, knownFrom)) {
            if (!projection.passed(at)) {
                throw new RequestRefused(
                        RequestRefused.Kind.UNAVAILABLE,
                        "it is unknown whether the request was the first with its key; repeat it with the same"
                                + " Idempotency-Key");
            }
            final BatchId batch = BatchId.around(first.job());
            requireSame(first, model.digests(batch).get(first.job()));
            all = numbered.apply(storedNumber(batch));
        }
        return new Published(
                all.getFirst().number(), all.size() == 1 ? at : log.publishAll(all.subList(1, all.size())));
    }

    /** The number of a batch whose first job the read model contains. */
    private long storedNumber(final BatchId batch) {
        return model.job(batch.job(1)).orElseThrow().job().submission().number();
    }

    private static void requireSame(final JobSubmitted job, final @Nullable String stored) {
        if (stored != null && !stored.equals(Digests.ofSubmission(job))) {
            throw SubmitJob.keyUsed(BatchId.around(job.job()).value());
        }
    }
}
