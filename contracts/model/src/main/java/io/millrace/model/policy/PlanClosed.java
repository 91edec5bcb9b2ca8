package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.command.Issuer;
import java.time.Instant;

/**
 * A decider has processed this revision of a cluster: its heartbeat, which the agent's watchdog monitors.
 *
 * @param revision the revision it was based on
 * @param waiting number of waiting jobs
 * @param starts commands issued on this revision
 */
public record PlanClosed(ClusterId cluster, Issuer issuer, long revision, Instant decidedAt, int waiting, int starts)
        implements PlanEvent {

    @Override
    public String key() {
        return new PlanKey.OfCluster(cluster, issuer).toString();
    }
}
