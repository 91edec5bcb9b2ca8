package io.millrace.submit.domain.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.Usage;
import org.jspecify.annotations.Nullable;

/**
 * A quota of a holder on one cluster or on all clusters together.
 *
 * @param cluster null: all clusters together
 * @param inForce null if the quota was never set
 * @param usage cores that the holder's jobs occupy; null if unknown
 * @param request the latest requested change; null once it is answered
 * @param refusal the latest refused change, until a later change comes into force
 */
public record QuotaState(
        @Nullable ClusterId cluster,
        QuotaHolder holder,
        @Nullable Quota inForce,
        @Nullable Usage usage,
        @Nullable QuotaRequested request,
        @Nullable QuotaRefused refusal) {

    public QuotaState {
        if (refusal != null && refusal.request().equals(request)) {
            request = null;
        }
        if (request != null && answered(request, inForce)) {
            request = null;
        }
        if (refusal != null && inForce != null && inForce.changedAt().isAfter(refusal.refusedAt())) {
            refusal = null;
        }
    }

    private static boolean answered(final QuotaRequested request, final @Nullable Quota inForce) {
        return inForce == null ? request.cores() == null : request.basedOn() < inForce.version();
    }

    public long version() {
        return inForce == null ? 0 : inForce.version();
    }
}
