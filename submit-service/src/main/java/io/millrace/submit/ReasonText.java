package io.millrace.submit;

import io.millrace.submit.domain.RequestRefused;
import org.jspecify.annotations.Nullable;

/** The reason that a caller gives for a change. */
public final class ReasonText {

    private static final int MAX_REASON = 1000;

    private ReasonText() {}

    /** @throws RequestRefused if it is missing or too long */
    public static String required(final @Nullable String requested) {
        if (requested == null || requested.isBlank() || requested.length() > MAX_REASON) {
            throw RequestRefused.invalid("reason", "must have 1 to " + MAX_REASON + " characters");
        }
        return requested.strip();
    }

    /** @throws RequestRefused if it is too long */
    static String of(final @Nullable String requested) {
        final String reason = requested == null || requested.isBlank() ? "no reason given" : requested.strip();
        if (reason.length() > MAX_REASON) {
            throw RequestRefused.invalid(
                    "reason", "must have at most " + MAX_REASON + " characters, got " + reason.length());
        }
        return reason;
    }
}
