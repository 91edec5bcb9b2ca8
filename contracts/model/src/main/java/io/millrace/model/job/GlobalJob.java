package io.millrace.model.job;

import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a global job, written by migration-service to {@code millrace.global-jobs}.
 *
 * @param submission the request
 * @param attempts oldest first
 * @param stop a stop that was requested and not executed yet
 * @param since when the state was entered
 * @param version counts the changes, from 1
 */
public record GlobalJob(
        JobSubmitted submission,
        GlobalJobState state,
        List<Attempt> attempts,
        @Nullable StopRequested stop,
        Instant since,
        long version)
        implements Event {

    public GlobalJob {
        attempts = List.copyOf(attempts);
    }

    public GlobalJobId id() {
        return submission.job();
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
