package io.millrace.model.job;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A global job was accepted. From here on it reaches End, Aborted or Stopped (promise 1).
 *
 * @param number by which people name the job; the jobs of a batch share it
 * @param source the cluster that holds {@code directory} and receives the results
 * @param directory absolute path of the job's directory on {@code source}
 * @param target the cluster that the user requests; null lets Millrace choose
 * @param signature of submit-service: {@link io.millrace.model.authorization.Authorization#submission}
 * @param batch the batch that the job belongs to; null if it was submitted alone
 * @param dependency the jobs that must end before it is placed; null if there are none
 * @param request what it requests of its cluster beside resources and partition; null for nothing
 * @param files which files are copied to another cluster and back; null for all
 * @param issuer whose login vouched for the owner, usually the cluster of the login; null if a registered tool submitted the job
 * @param held whether it is not placed until its owner releases it; null: it is not
 */
public record JobSubmitted(
        GlobalJobId job,
        long number,
        UserName owner,
        JobSpec spec,
        ClusterId source,
        String directory,
        @Nullable ClusterId target,
        Instant submittedAt,
        String signature,
        @Nullable BatchMember batch,
        @Nullable JobDependency dependency,
        @Nullable TargetRequest request,
        @Nullable FileFilters files,
        @Nullable ClusterId issuer,
        @Nullable Boolean held)
        implements SubmissionEvent {

    public JobSubmitted {
        if (number < 1) {
            throw new IllegalArgumentException("the number of job " + job + " must be at least 1, got " + number);
        }
        request = TargetRequest.NONE.equals(request) ? null : request;
        files = FileFilters.NONE.equals(files) ? null : files;
    }

    /** A job that belongs to no batch and waits for no other job. */
    public JobSubmitted(
            final GlobalJobId job,
            final long number,
            final UserName owner,
            final JobSpec spec,
            final ClusterId source,
            final String directory,
            final @Nullable ClusterId target,
            final Instant submittedAt,
            final String signature) {
        this(job, number, owner, spec, source, directory, target, submittedAt, signature, null, null);
    }

    /** A job that requests nothing of its cluster beside resources and partition. */
    public JobSubmitted(
            final GlobalJobId job,
            final long number,
            final UserName owner,
            final JobSpec spec,
            final ClusterId source,
            final String directory,
            final @Nullable ClusterId target,
            final Instant submittedAt,
            final String signature,
            final @Nullable BatchMember batch,
            final @Nullable JobDependency dependency) {
        this(
                job,
                number,
                owner,
                spec,
                source,
                directory,
                target,
                submittedAt,
                signature,
                batch,
                dependency,
                null,
                null);
    }

    /** A job whose owner no login vouched for. */
    public JobSubmitted(
            final GlobalJobId job,
            final long number,
            final UserName owner,
            final JobSpec spec,
            final ClusterId source,
            final String directory,
            final @Nullable ClusterId target,
            final Instant submittedAt,
            final String signature,
            final @Nullable BatchMember batch,
            final @Nullable JobDependency dependency,
            final @Nullable TargetRequest request,
            final @Nullable FileFilters files) {
        this(
                job,
                number,
                owner,
                spec,
                source,
                directory,
                target,
                submittedAt,
                signature,
                batch,
                dependency,
                request,
                files,
                null,
                null);
    }

    /** The number of the job, with its index in the batch. */
    public JobNumber jobNumber() {
        return new JobNumber(number, batch == null ? null : batch.index());
    }

    /** What it requests of its cluster beside resources and partition. */
    public TargetRequest requested() {
        return request == null ? TargetRequest.NONE : request;
    }

    /** Which files are copied to another cluster and back. */
    public FileFilters filters() {
        return files == null ? FileFilters.NONE : files;
    }

    /** The hold with which it was submitted; null if there is none. */
    public @Nullable HoldRequested hold() {
        return Boolean.TRUE.equals(held)
                ? new HoldRequested(job, owner, submittedAt, "submitted with a hold; release it with mgrelease")
                : null;
    }

    public JobSubmitted withSpec(final JobSpec other) {
        return with(other, dependency);
    }

    public JobSubmitted withDependency(final @Nullable JobDependency other) {
        return with(spec, other);
    }

    private JobSubmitted with(final JobSpec otherSpec, final @Nullable JobDependency otherDependency) {
        return new JobSubmitted(
                job,
                number,
                owner,
                otherSpec,
                source,
                directory,
                target,
                submittedAt,
                signature,
                batch,
                otherDependency,
                request,
                files,
                issuer,
                held);
    }
}
