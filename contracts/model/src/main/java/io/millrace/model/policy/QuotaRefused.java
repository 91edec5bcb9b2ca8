package io.millrace.model.policy;

import io.millrace.model.Event;
import java.time.Instant;

/**
 * The newest request for a quota that was refused: of two who change a quota at once, the second finds itself here.
 *
 * @param because names the thing and the remedy
 */
public record QuotaRefused(Request.QuotaAsked asked, String because, Instant at) implements Event {

    /** The key of refusals of a quota. */
    public static String keyOf(final String quota) {
        return quota + "/refused";
    }

    @Override
    public String key() {
        return keyOf(asked.key());
    }
}
