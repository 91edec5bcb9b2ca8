package io.millrace.model.policy;

import io.millrace.model.Event;
import java.time.Instant;

/**
 * The newest refused request for a quota: of two concurrent changes, the second is refused.
 *
 * @param reason names the thing and the remedy
 */
public record QuotaRefused(Request.QuotaRequested request, String reason, Instant refusedAt) implements Event {

    /** The key of refusals of a quota. */
    public static String keyOf(final String quota) {
        return quota + "/refused";
    }

    @Override
    public String key() {
        return keyOf(request.key());
    }
}
