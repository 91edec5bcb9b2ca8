package io.millrace.submit.domain.job;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the job change feed.
 *
 * @param seq consecutive number in the order in which changes become visible; 0 until it is assigned
 * @param state name of the global job's state
 * @param localState name of the local job's state; null if no local job is in a queue
 */
public record JobChange(
        long seq,
        GlobalJobId job,
        UserName owner,
        String state,
        @Nullable String localState,
        @Nullable ClusterId cluster,
        Instant changedAt) {

    public JobChange numbered(final long number) {
        return new JobChange(number, job, owner, state, localState, cluster, changedAt);
    }
}
