package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.job.WaitingGroup;
import io.millrace.model.GlobalJobId;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last answer for a group that no cluster could start.
 *
 * @param place of its first job among all
 * @param dueAt when time alone changes the answer of its first job
 * @param told the jobs that got the obstacles of the lane as their reason
 */
record BlockedGroup(
        WaitingGroup group, Lane lane, GlobalJobId place, GlobalJobId first, Instant dueAt, Set<GlobalJobId> told) {

    @Nullable
    WaitingGroup next() {
        return lane.after(place, first);
    }
}
