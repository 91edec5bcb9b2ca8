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
 * Selects ended runs.
 *
 * @param user null: all users
 * @param project null: any project or none
 * @param cluster null: all clusters
 * @param from earliest end of a run, inclusive
 * @param until latest end of a run, exclusive
 */
public record UsageQuery(
        @Nullable UserName user,
        @Nullable ProjectName project,
        @Nullable ClusterId cluster,
        Instant from,
        Instant until) {

    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

    /**
     * The beginning of a period that is given as a day of the site or an instant.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static Instant beginning(final String text, final ZoneId site) {
        return DAY.matcher(text).matches() ? day(text).atStartOfDay(site).toInstant() : instant(text);
    }

    /**
     * The end of a period that is given as a day of the site (inclusive) or an instant (exclusive).
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static Instant end(final String text, final ZoneId site) {
        return DAY.matcher(text).matches()
                ? day(text).plusDays(1).atStartOfDay(site).toInstant()
                : instant(text);
    }

    /** The first instant of the month of this instant, in the site's time zone. */
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
            throw new IllegalArgumentException(invalidTime(text), e);
        }
    }

    private static Instant instant(final String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(invalidTime(text), e);
        }
    }

    private static String invalidTime(final String text) {
        return "'" + text
                + "' is not a valid time; use a day (2026-11-21) or a time with zone (2026-11-21T08:00:00+01:00)";
    }
}
