package io.millrace.model.policy;

import io.millrace.model.Event;
import java.time.Instant;

/**
 * The newest request for a quota that was refused: of two who change a quota at once, the second finds itself here.
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
