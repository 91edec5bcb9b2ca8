package io.millrace.model.job;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.cluster.HoldKind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a global job, written by migration-service to {@code millrace.global-jobs}.
 *
 * @param submission the request, as altered since
 * @param attempts oldest first
 * @param stop a stop that was requested and not executed yet
 * @param since when the state was entered
 * @param version counts the changes, from 1
 * @param hold the hold until which it is not placed, and its waiting local job not released; null if there is none
 * @param priority the order among the waiting jobs of its owner: higher first; null: 0
 */
public record GlobalJob(
        JobSubmitted submission,
        GlobalJobState state,
        List<Attempt> attempts,
        @Nullable StopRequested stop,
        Instant since,
        long version,
        @Nullable HoldRequested hold,
        @Nullable Integer priority)
        implements Event {

    public GlobalJob {
        attempts = List.copyOf(attempts);
    }

    /** A job that is not held and has no priority of its own. */
    public GlobalJob(
            final JobSubmitted submission,
            final GlobalJobState state,
            final List<Attempt> attempts,
            final @Nullable StopRequested stop,
            final Instant since,
            final long version) {
        this(submission, state, attempts, stop, since, version, null, null);
    }

    /** Whether it is held by its owner, or by an operator. Null: it is not held. */
    public @Nullable HoldKind holdKind() {
        if (hold == null) {
            return null;
        }
        return hold.by().equals(submission.owner()) ? HoldKind.USER : HoldKind.OPERATOR;
    }

    public GlobalJobId id() {
        return submission.job();
    }

    /** Whether an attempt of this job was placed on the cluster, so that the cluster may report on it. */
    public boolean isPlaced(final @Nullable AttemptId attempt, final ClusterId cluster) {
        return attempt != null
                && attempt.job().equals(id())
                && attempts.stream()
                        .anyMatch(one -> one.number() == attempt.number()
                                && one.cluster().equals(cluster));
    }

    public GlobalJob with(final JobSubmitted other) {
        return new GlobalJob(other, state, attempts, stop, since, version, hold, priority);
    }

    @Override
    public String key() {
        return id().value();
    }

    /** The newest attempt, null before the first placement. */
    public @Nullable Attempt attempt() {
        return attempts.isEmpty() ? null : attempts.get(attempts.size() - 1);
    }
}
