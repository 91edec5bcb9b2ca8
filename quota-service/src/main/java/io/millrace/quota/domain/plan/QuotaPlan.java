package io.millrace.quota.domain.plan;

import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.quota.Usage;
import io.millrace.quota.domain.account.PlannedEntitlement;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The decisions for one cluster on one revision.
 *
 * @param planned the entitlement of every job there
 * @param usage of every user with a job there
 * @param commands to issue now, independent of each other
 * @param resumptions commands that resume suspended victims
 * @param vetoes why no reclaim is possible for a job within quota that does not fit, by job
 * @param offers the cost of a reclaim here for global jobs that are not yet placed
 * @param wakeAt when the plan can change without a new event; empty if it cannot
 */
public record QuotaPlan(
        List<PlannedEntitlement> planned,
        Map<UserName, Usage> usage,
        List<Command> reclaims,
        List<Command> resumptions,
        Map<JobKey, Veto> vetoes,
        List<PlacementOffered> offers,
        Optional<Instant> wakeAt) {

    /** All entitlements as events, with their texts. */
    public Map<JobKey, Entitlement> entitlements() {
        final Map<JobKey, Entitlement> events = new LinkedHashMap<>();
        planned.forEach(one -> events.put(one.job(), one.event()));
        return events;
    }
}
