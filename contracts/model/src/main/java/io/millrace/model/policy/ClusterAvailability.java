package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;

/**
 * Whether Millrace places jobs on a cluster, as an operator decided it. Written by migration-service; a cluster without this event is
 * {@link Status#OPEN}.
 *
 * <pre>
 *    OPEN  <-- undrain --  DRAINED
 *     | ^ \--- drain ------> |
 *     | |                    |
 *     | |                    | fence
 *   fence \                  v
 *     +----|-------------> FENCED  -- undrain --> RETURNING (fence: FENCED)
 *          |                                          |
 *          +--- its agent reported, and no job that ---+
 *               was replaced elsewhere is left there
 * </pre>
 *
 * @param author the operator; of the step from RETURNING to OPEN, the operator who requested the return
 * @param since when the status began, by the clock of migration-service
 * @param version counts the changes, from 1
 */
public record ClusterAvailability(
        ClusterId cluster, Status status, UserName author, String reason, Instant since, long version)
        implements Event {

    /** What Millrace does with a cluster. */
    public enum Status {
        /** Jobs are placed there. */
        OPEN,
        /** No job is placed there, waiting attempts are withdrawn, running jobs end. */
        DRAINED,
        /** An operator declared that nothing runs there; its jobs are placed on other clusters. Its agent only cancels jobs. */
        FENCED,
        /** As FENCED, until the agent has cancelled what was replaced elsewhere. */
        RETURNING;

        /** Whether the agent may only cancel jobs. */
        public boolean isFenced() {
            return this == FENCED || this == RETURNING;
        }
    }

    public static String keyOf(final ClusterId cluster) {
        return cluster + "/availability";
    }

    @Override
    public String key() {
        return keyOf(cluster);
    }
}
