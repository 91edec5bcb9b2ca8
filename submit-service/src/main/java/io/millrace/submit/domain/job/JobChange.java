package io.millrace.submit.domain.job;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of the feed of job changes.
 *
 * @param seq numbers without gaps in the order of becoming visible; 0 before it has one
 * @param state word of the global job's state
 * @param localState word of the local job's state, null if there is none in a queue
 */
public record JobChange(
        long seq,
        GlobalJobId job,
        UserName owner,
        String state,
        @Nullable String localState,
        @Nullable ClusterId cluster,
        Instant changed) {

    public JobChange numbered(final long number) {
        return new JobChange(number, job, owner, state, localState, cluster, changed);
    }
}
