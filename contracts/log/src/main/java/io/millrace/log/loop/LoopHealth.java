package io.millrace.log.loop;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a deciding loop at one instant.
 *
 * @param brokerAnswers whether the broker answered when last asked
 * @param caughtUp whether the group is joined and every assigned shard has replayed the log; an instance without a partition is a
 *     standby and counts as caught up
 * @param assigned partitions this instance decides for
 * @param lag unread records on the partitions that this instance commits offsets for
 * @param lastDecision when something was last decided and committed; null if nothing was yet
 * @param decisions commits with at least one decision
 * @param fenced commits refused because another instance had taken over
 * @param reopened how often a shard was rebuilt from the log, for any reason
 * @param deadLetters records that could not be understood
 * @param unknownTypes records of a newer release, skipped
 * @param setAside records that this instance skips: it cannot read or apply them, or its decisions fail on them
 * @param latestSetAside where the latest of them are on the log
 * @param trouble the current failure in one sentence; null if there is none
 */
public record LoopHealth(
        boolean brokerAnswers,
        boolean caughtUp,
        Set<Integer> assigned,
        long lag,
        @Nullable Instant lastDecision,
        long decisions,
        long fenced,
        long reopened,
        long deadLetters,
        long unknownTypes,
        long setAside,
        List<String> latestSetAside,
        @Nullable String trouble) {

    /** Whether this instance can do its work: for readiness checks. */
    public boolean isReady() {
        return brokerAnswers && caughtUp && trouble == null;
    }
}
