package io.millrace.submit.domain.policy;

import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import org.jspecify.annotations.Nullable;

/**
 * The priority rules in force, and a pending change.
 *
 * @param inForce null if no rules were ever set
 * @param request the latest requested change; null if there is none or it is in force
 */
public record PriorityRulesState(
        @Nullable PriorityRulesSet inForce, @Nullable PriorityRulesRequested request) {

    public PriorityRulesState {
        if (request != null
                && inForce != null
                && inForce.changedAt().equals(request.requestedAt())
                && inForce.author().equals(request.author())) {
            request = null;
        }
    }

    public long version() {
        return inForce == null ? 0 : inForce.version();
    }

    public PriorityRules rules() {
        return inForce == null ? PriorityRules.NONE : inForce.rules();
    }
}
