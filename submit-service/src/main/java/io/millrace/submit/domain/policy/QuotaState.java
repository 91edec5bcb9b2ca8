package io.millrace.submit.domain.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaHolder;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.policy.Usage;
import org.jspecify.annotations.Nullable;

/**
 * A quota of somebody on a cluster, or on all together.
 *
 * @param cluster null: all together
 * @param inForce null if none was ever set
 * @param usage what the user's jobs occupy, null if nothing is known
 * @param asked the newest change asked for, unless it is answered
 * @param refused the newest change that was refused, until a later one comes into force
 */
public record QuotaState(
        @Nullable ClusterId cluster,
        QuotaHolder holder,
        @Nullable Quota inForce,
        @Nullable Usage usage,
        @Nullable QuotaRequested asked,
        @Nullable QuotaRefused refused) {

    public QuotaState {
        if (refused != null && refused.request().equals(asked)) {
            asked = null;
        }
        if (asked != null && inForce != null && asked.basedOn() < inForce.version()) {
            asked = null;
        }
        if (refused != null && inForce != null && inForce.changedAt().isAfter(refused.refusedAt())) {
            refused = null;
        }
    }

    public long version() {
        return inForce == null ? 0 : inForce.version();
    }
}
