package io.millrace.submit.domain.usage;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which ended runs to show.
 *
 * @param user null: everybody's
 * @param project null: of all, and of none
 * @param cluster null: on all of them
 * @param from the first instant at which a run may have ended
 * @param until the first instant that is too late
 */
public record UsageQuery(
        @Nullable UserName user,
        @Nullable ProjectName project,
        @Nullable ClusterId cluster,
        Instant from,
        Instant until) {

    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

    /**
     * When a period begins: with a day of the site, or at an instant.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static Instant beginning(final String text, final ZoneId site) {
        return DAY.matcher(text).matches() ? day(text).atStartOfDay(site).toInstant() : instant(text);
    }

    /**
     * When a period is over: behind a day of the site, or at an instant.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static Instant end(final String text, final ZoneId site) {
        return DAY.matcher(text).matches()
                ? day(text).plusDays(1).atStartOfDay(site).toInstant()
                : instant(text);
    }

    /** When the month of this instant began at the site. */
    public static Instant monthOf(final Instant now, final ZoneId site) {
        return LocalDate.ofInstant(now, site)
                .withDayOfMonth(1)
                .atStartOfDay(site)
                .toInstant();
    }

    private static LocalDate day(final String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(neither(text), e);
        }
    }

    private static Instant instant(final String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(neither(text), e);
        }
    }

    private static String neither(final String text) {
        return "'" + text + "' is neither a day (2026-11-21) nor a time with its zone (2026-11-21T08:00:00+01:00)";
    }
}
