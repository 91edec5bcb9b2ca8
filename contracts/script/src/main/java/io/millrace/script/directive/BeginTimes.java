package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Begin times in the formats of Slurm, PBS and LSF. */
public final class BeginTimes {

    private static final Pattern SLURM_DAY =
            Pattern.compile("(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:T(\\d{1,2}):(\\d{2})(?::(\\d{2}))?)?");
    private static final Pattern SLURM_CLOCK = Pattern.compile("(\\d{1,2}):(\\d{2})(?::(\\d{2}))?");
    private static final Pattern PBS =
            Pattern.compile("((?:(?:(\\d{2})?(\\d{2}))?(\\d{2}))?(\\d{2}))?(\\d{2})(\\d{2})(?:\\.(\\d{2}))?");
    private static final Pattern LSF =
            Pattern.compile("(?:(?:(?:(\\d{4}):)?(\\d{1,2}):)?(\\d{1,2}):)?(\\d{1,2}):(\\d{2})");

    private BeginTimes() {}

    static JobSetting slurm(final String text) {
        final Matcher day = SLURM_DAY.matcher(text);
        if (day.matches()) {
            final boolean timeOfDay = day.group(4) != null;
            return new JobSetting.BeginTime(
                    text,
                    number(day.group(1)),
                    number(day.group(2)),
                    number(day.group(3)),
                    number(timeOfDay ? day.group(4) : "0"),
                    number(timeOfDay ? day.group(5) : "0"),
                    second(day.group(6)));
        }
        final Matcher timeOfDay = SLURM_CLOCK.matcher(text);
        return timeOfDay.matches()
                ? new JobSetting.BeginTime(
                        text,
                        null,
                        null,
                        null,
                        number(timeOfDay.group(1)),
                        number(timeOfDay.group(2)),
                        second(timeOfDay.group(3)))
                : new JobSetting.BeginTime(text, null, null, null, null, null, 0);
    }

    /** {@code [[[[CC]YY]MM]DD]hhmm[.SS]}; a two-digit year is in this century. */
    static JobSetting pbs(final String text) throws DirectiveSyntaxException {
        final Matcher m = PBS.matcher(text);
        if (!m.matches()) {
            throw new DirectiveSyntaxException("'" + text + "' is not a valid PBS time; use [[[[CC]YY]MM]DD]hhmm[.SS]");
        }
        final Integer century = number(m.group(2));
        final Integer year = number(m.group(3));
        return new JobSetting.BeginTime(
                text,
                year == null ? null : (century == null ? 20 : century) * 100 + year,
                number(m.group(4)),
                number(m.group(5)),
                number(m.group(6)),
                number(m.group(7)),
                second(m.group(8)));
    }

    /** {@code [[[year:]month:]day:]hour:minute}. */
    static JobSetting lsf(final String text) throws DirectiveSyntaxException {
        final Matcher m = LSF.matcher(text);
        if (!m.matches()) {
            throw new DirectiveSyntaxException(
                    "'" + text + "' is not a valid LSF time; use [[[year:]month:]day:]hour:minute");
        }
        return new JobSetting.BeginTime(
                text,
                number(m.group(1)),
                number(m.group(2)),
                number(m.group(3)),
                number(m.group(4)),
                number(m.group(5)),
                0);
    }

    private static @Nullable Integer number(final @Nullable String digits) {
        return digits == null ? null : Integer.valueOf(digits);
    }

    private static int second(final @Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    /** The time in the format of Slurm; null if Slurm cannot express it. */
    static @Nullable public String forSlurm(final JobSetting.BeginTime begin) {
        if (begin.hour() == null || begin.minute() == null || begin.day() != null && begin.year() == null) {
            return null;
        }
        final String timeOfDay = String.format("%02d:%02d:%02d", begin.hour(), begin.minute(), begin.second());
        return begin.day() == null
                ? timeOfDay
                : String.format("%04d-%02d-%02dT%s", begin.year(), begin.month(), begin.day(), timeOfDay);
    }

    static @Nullable public String forPbs(final JobSetting.BeginTime begin) {
        if (begin.hour() == null || begin.minute() == null) {
            return null;
        }
        final StringBuilder text = new StringBuilder();
        if (begin.year() != null) {
            text.append(String.format("%04d", begin.year()));
        }
        if (begin.month() != null) {
            text.append(String.format("%02d", begin.month()));
        }
        if (begin.day() != null) {
            text.append(String.format("%02d", begin.day()));
        }
        text.append(String.format("%02d%02d", begin.hour(), begin.minute()));
        return begin.second() == 0 ? text.toString() : text + String.format(".%02d", begin.second());
    }

    static @Nullable public String forLsf(final JobSetting.BeginTime begin) {
        if (begin.hour() == null || begin.minute() == null) {
            return null;
        }
        final StringBuilder text = new StringBuilder();
        if (begin.year() != null) {
            text.append(begin.year()).append(':');
        }
        if (begin.month() != null) {
            text.append(begin.month()).append(':');
        }
        if (begin.day() != null) {
            text.append(begin.day()).append(':');
        }
        return text + String.format("%d:%02d", begin.hour(), begin.minute());
    }
}
