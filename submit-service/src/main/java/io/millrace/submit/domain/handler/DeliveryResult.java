package io.millrace.submit.domain.handler;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** What came of one try. */
public sealed interface DeliveryResult {

    /** The handler has the event. */
    record Delivered() implements DeliveryResult {}

    /** Another try may do better; {@code notBefore} is what the receiver asked for. */
    record Failed(String because, @Nullable Duration notBefore) implements DeliveryResult {
        public Failed(final String because) {
            this(because, null);
        }
    }

    /** The handler will never take this event. */
    record Rejected(String because) implements DeliveryResult {}

    /** The handler wants no events any more. */
    record Gone(String because) implements DeliveryResult {}

    /**
     * What an HTTP answer means (CloudEvents 1.0.2, HTTP 1.1 Web Hooks, section 2.2; Standard Webhooks 1.0.0).
     *
     * @param retryAfter the header of that name: seconds or a date
     */
    static DeliveryResult of(final int status, final @Nullable String retryAfter, final Instant now) {
        final String said = "the receiver answered " + status;
        if (status >= 200 && status < 300) {
            return new Delivered();
        }
        return switch (status) {
            case 410 -> new Gone(said + " (gone): it wants no more events");
            case 413, 415, 422 -> new Rejected(said + ": it does not take this event");
            case 401, 403 -> new Failed(said + ": do both sides have the same secret?");
            case 301, 302, 303, 307, 308 ->
                new Failed(said + ": a webhook follows no redirection; name the final address");
            default -> new Failed(said, pause(retryAfter, now));
        };
    }

    private static @Nullable Duration pause(final @Nullable String retryAfter, final Instant now) {
        if (retryAfter == null) {
            return null;
        }
        final String text = retryAfter.strip();
        if (text.matches("\\d{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            final Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
        } catch (DateTimeParseException e) {
            return null; // not understood, so not asked for
        }
    }
}
