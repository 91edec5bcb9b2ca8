package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.command.Issuer;
import java.time.Instant;

/**
 * A decider has looked at this revision of a cluster and said all it has to say: its sign of life, which the agent's watchdog hears.
 *
 * @param revision the revision it was based on
 * @param waiting jobs that wait
 * @param starts commands issued on this revision
 */
public record PlanClosed(ClusterId cluster, Issuer issuer, long revision, Instant decidedAt, int waiting, int starts)
        implements PlanEvent {

    @Override
    public String key() {
        return cluster + "/" + issuer;
    }
}
