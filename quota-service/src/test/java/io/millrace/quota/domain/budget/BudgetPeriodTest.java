package io.millrace.quota.domain.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.model.quota.BudgetPeriod;
import io.millrace.model.quota.PeriodKind;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BudgetPeriodTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    /** Here clocks change from midnight to one o'clock. */
    private static final ZoneId CAIRO = ZoneId.of("Africa/Cairo");

    private static BudgetPeriod of(final PeriodKind calendar, final String instant) {
        return BudgetPeriod.of(calendar, Instant.parse(instant), BERLIN);
    }

    /** */
    @Test
    void a_month_with_a_clock_change_is_an_hour_shorter_or_longer() {
        assertThat(length(of(PeriodKind.MONTH, "2026-03-15T00:00:00Z"), BERLIN))
                .isEqualTo(Duration.ofDays(31).minusHours(1));
        assertThat(length(of(PeriodKind.MONTH, "2026-10-15T00:00:00Z"), BERLIN))
                .isEqualTo(Duration.ofDays(31).plusHours(1));
        assertThat(length(of(PeriodKind.WEEK, "2026-03-29T12:00:00Z"), BERLIN))
                .isEqualTo(Duration.ofDays(7).minusHours(1));
    }

    /** */
    @Test
    void a_leap_year_has_366_days() {
        assertThat(of(PeriodKind.YEAR, "2028-06-01T00:00:00Z").days()).isEqualTo(366);
        assertThat(of(PeriodKind.MONTH, "2028-02-29T12:00:00Z").days()).isEqualTo(29);
        assertThat(of(PeriodKind.MONTH, "2100-02-28T12:00:00Z").days()).isEqualTo(28);
    }

    @Test
    void periods_begin_at_local_midnight() {
        assertThat(of(PeriodKind.MONTH, "2026-10-31T22:59:59Z").label()).isEqualTo("2026-10");
        assertThat(of(PeriodKind.MONTH, "2026-10-31T23:00:00Z").label()).isEqualTo("2026-11");
        assertThat(of(PeriodKind.MONTH, "2026-06-30T22:00:00Z").label()).isEqualTo("2026-07");
    }

    /** */
    @Test
    void a_week_belongs_to_the_year_that_has_most_of_it() {
        assertThat(of(PeriodKind.WEEK, "2027-01-01T12:00:00Z").label()).isEqualTo("2026-W53");
        assertThat(of(PeriodKind.WEEK, "2026-01-01T12:00:00Z").label()).isEqualTo("2026-W01");
        assertThat(of(PeriodKind.WEEK, "2025-12-31T12:00:00Z").label()).isEqualTo("2026-W01");
    }

    @Test
    void a_day_begins_after_a_clock_change_that_skips_midnight() {
        final BudgetPeriod month = new BudgetPeriod(PeriodKind.MONTH, LocalDate.of(2026, 4, 1));
        assertThat(LocalDate.of(2026, 4, 24).atStartOfDay(CAIRO).toLocalTime().getHour())
                .isEqualTo(1);
        assertThat(length(month, CAIRO)).isEqualTo(Duration.ofDays(30).minusHours(1));
        assertThat(month.daysStarted(Instant.parse("2026-04-23T21:59:59Z"), CAIRO))
                .isEqualTo(23);
        assertThat(month.daysStarted(Instant.parse("2026-04-23T22:00:00Z"), CAIRO))
                .isEqualTo(24);
    }

    @Test
    void every_instant_is_in_exactly_one_period_of_each_kind() {
        final Random random = new Random(42);
        final List<String> zones =
                ZoneId.getAvailableZoneIds().stream().sorted().toList();
        for (int i = 0; i < 5000; i++) {
            final ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
            final Instant instant = Instant.ofEpochSecond(random.nextLong(0, 4_000_000_000L));
            for (final PeriodKind calendar : PeriodKind.values()) {
                final BudgetPeriod period = BudgetPeriod.of(calendar, instant, zone);
                assertThat(instant)
                        .isBetween(period.start(zone), period.end(zone).minusNanos(1));
                assertThat(BudgetPeriod.of(calendar, period.end(zone), zone)).isEqualTo(period.next());
                assertThat(period.next().previous()).isEqualTo(period);
                assertThat(BudgetPeriod.of(calendar, period.start(zone).minusNanos(1), zone))
                        .isEqualTo(period.previous());
            }
        }
    }

    @Test
    void a_period_begins_on_its_first_day() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BudgetPeriod(PeriodKind.WEEK, LocalDate.of(2026, 11, 21)))
                .withMessage("no WEEK begins on 2026-11-21");
    }

    private static Duration length(final BudgetPeriod period, final ZoneId zone) {
        return Duration.between(period.start(zone), period.end(zone));
    }
}
