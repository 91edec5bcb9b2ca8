package io.millrace.submit.domain.policy;

import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import org.jspecify.annotations.Nullable;

/**
 * The rules of priority in force.
 *
 * @param inForce null if none were ever set
 * @param asked the last change asked for; null if there was none, or it is in force
 */
public record PriorityRulesState(
        @Nullable PriorityRulesSet inForce, @Nullable PriorityRulesRequested asked) {

    public PriorityRulesState {
        if (asked != null
                && inForce != null
                && inForce.changedAt().equals(asked.requestedAt())
                && inForce.author().equals(asked.author())) {
            asked = null;
        }
    }

    public long version() {
        return inForce == null ? 0 : inForce.version();
    }

    public PriorityRules rules() {
        return inForce == null ? PriorityRules.NONE : inForce.rules();
    }
}
