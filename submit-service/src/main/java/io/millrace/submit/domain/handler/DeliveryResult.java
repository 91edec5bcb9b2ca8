package io.millrace.submit.domain.handler;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** The result of one delivery attempt. */
public sealed interface DeliveryResult {

    /** The handler accepted the event. */
    record Delivered() implements DeliveryResult {}

    /** The handler has no use for this event. */
    record Ignored() implements DeliveryResult {}

    /** A retry may succeed; {@code notBefore} is the delay that the receiver requested. */
    record Failed(String reason, @Nullable Duration notBefore) implements DeliveryResult {
        public Failed(final String reason) {
            this(reason, null);
        }
    }

    /** The handler will never accept this event. */
    record Rejected(String reason) implements DeliveryResult {}

    /** The handler does not accept events any more. */
    record Gone(String reason) implements DeliveryResult {}

    /**
     * Interprets an HTTP response (CloudEvents 1.0.2, HTTP 1.1 Web Hooks, section 2.2; Standard Webhooks 1.0.0).
     *
     * @param retryAfter the Retry-After header: seconds or a date
     */
    static DeliveryResult of(final int status, final @Nullable String retryAfter, final Instant now) {
        final String answer = "the receiver answered " + status;
        if (status >= 200 && status < 300) {
            return new Delivered();
        }
        return switch (status) {
            case 410 -> new Gone(answer + " (gone): it does not accept events any more");
            case 413, 415, 422 -> new Rejected(answer + ": it does not accept this event");
            case 401, 403 -> new Failed(answer + ": check that both sides use the same secret");
            case 301, 302, 303, 307, 308 ->
                new Failed(answer + ": redirects are not followed; configure the final address");
            default -> new Failed(answer, delay(retryAfter, now));
        };
    }

    private static @Nullable Duration delay(final @Nullable String retryAfter, final Instant now) {
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
            return null; // an invalid header is ignored
        }
    }
}
