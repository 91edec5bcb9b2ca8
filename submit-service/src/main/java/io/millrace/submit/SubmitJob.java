package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.Digests;
import io.millrace.submit.domain.job.JobRequest;
import io.millrace.submit.domain.job.JobValidator;
import io.millrace.submit.domain.job.StoredJob;
import io.millrace.submit.domain.job.Ulid;
import io.millrace.submit.domain.job.ValidJob;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.identity.SubmissionSigner;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts a job and publishes its submission, once per idempotency key. */
@ApplicationScoped
public class SubmitJob {

    private static final Logger LOG = LoggerFactory.getLogger(SubmitJob.class);
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7E]{1,255}");

    private final EventPublisher log;
    private final ReadModel model;
    private final WaitForProjection projection;
    private final SubmissionSigner signer;
    private final Clock clock;
    private final RandomGenerator random;

    SubmitJob(
            final EventPublisher log,
            final ReadModel model,
            final WaitForProjection projection,
            final SubmissionSigner signer,
            final Clock clock,
            final RandomGenerator random) {
        this.log = log;
        this.model = model;
        this.projection = projection;
        this.signer = signer;
        this.clock = clock;
        this.random = random;
    }

    /**
     * An accepted job.
     *
     * @param position of the submission on the log; null if an earlier request with the same key was accepted
     */
    public record Accepted(JobSubmitted job, @Nullable LogPosition position) {}

    /**
     * @param key idempotency key of the client; null for none
     * @throws RequestRefused if the request is invalid, or another job was accepted with this key
     */
    public Accepted submit(final Caller caller, final JobRequest request, final @Nullable String key) {
        final Set<ClusterId> known = model.clusterNames();
        final ValidJob valid = JobValidator.validate(request, known);
        final Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        final GlobalJobId id = key == null ? Ulid.random(now, random) : Ulid.derived(caller.user(), checkedKey(key));
        final JobSubmitted job = job(id, caller.user(), valid, now);
        final Optional<StoredJob> earlier = key == null ? Optional.empty() : model.job(id);
        if (earlier.isPresent()) {
            return new Accepted(requireSame(earlier.get(), job), null);
        }
        final LogPosition at = log.publish(job);
        final boolean projected = projection.passed(at);
        if (key == null) {
            logAccepted(job);
            return new Accepted(job, at); // the id is unique, so the job is accepted before the read model contains it
        }
        if (!projected) {
            throw new RequestRefused(
                    RequestRefused.Kind.UNAVAILABLE,
                    "the request is on the log, but it is unknown whether it was the first with its key; repeat it with"
                            + " the same Idempotency-Key");
        }
        final JobSubmitted accepted = requireSame(model.job(id).orElseThrow(), job);
        if (accepted.submittedAt().equals(now)) { // otherwise a concurrent request with the same key was the first
            logAccepted(accepted);
        }
        return new Accepted(accepted, at);
    }

    private static void logAccepted(final JobSubmitted job) {
        LOG.atInfo()
                .addKeyValue("decision", "accepted")
                .addKeyValue("jobId", job.job())
                .addKeyValue("user", job.owner())
                .addKeyValue("cluster", job.target() == null ? "any" : job.target())
                .log("job accepted");
    }

    private JobSubmitted job(final GlobalJobId id, final UserName owner, final ValidJob valid, final Instant now) {
        final String signature = signer.sign(owner, id, Digests.ofScripts(valid.spec()), now);
        return new JobSubmitted(
                id, owner, valid.spec(), valid.source(), valid.directory(), valid.target(), now, signature);
    }

    private static JobSubmitted requireSame(final StoredJob first, final JobSubmitted submission) {
        if (!first.digest().equals(Digests.ofSubmission(submission))) {
            throw new RequestRefused(
                    RequestRefused.Kind.INVALID,
                    "the Idempotency-Key was used for another job (" + submission.job() + "); send a new key");
        }
        return first.job().submission();
    }

    private static String checkedKey(final String key) {
        if (!KEY.matcher(key).matches()) {
            throw new RequestRefused(
                    RequestRefused.Kind.MALFORMED,
                    "Idempotency-Key must have 1 to 255 printable ASCII characters without spaces");
        }
        return key;
    }
}
