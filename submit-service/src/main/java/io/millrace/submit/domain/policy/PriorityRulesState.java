package io.millrace.submit.domain.policy;

import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PrioritySet;
import io.millrace.model.policy.Request.PriorityAsked;
import org.jspecify.annotations.Nullable;

/**
 * The rules of priority in force.
 *
 * @param inForce null if none were ever set
 * @param asked the last change asked for; null if there was none, or it is in force
 */
public record PriorityRulesState(
        @Nullable PrioritySet inForce, @Nullable PriorityAsked asked) {

    public PriorityRulesState {
        if (asked != null
                && inForce != null
                && inForce.changed().equals(asked.asked())
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
