package io.millrace.quota.domain.budget;

import static io.millrace.quota.domain.budget.BudgetScenario.NOW;
import static io.millrace.quota.domain.budget.BudgetScenario.end;
import static io.millrace.quota.domain.budget.BudgetScenario.hours;
import static io.millrace.quota.domain.budget.BudgetScenario.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetGrant.Exhausted;
import io.millrace.model.quota.BudgetGrant.Refill;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.budget.BudgetCheck.Shortfall;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BudgetCheckTest {

    private static final QuotaHolder ANNA = QuotaHolder.of(UserName.of("anna"));
    private static final QuotaHolder PHYSICS = QuotaHolder.of(ProjectName.of("physics"));
    private static final Instant YESTERDAY = NOW.minus(Duration.ofDays(1));
    private static final Instant OCTOBER = Instant.parse("2026-10-20T12:00:00Z");

    private static JobObserved job(final String user, final int cores, final long limit_h) {
        return waiting("w", user, cores, Duration.ofHours(limit_h));
    }

    private static String because(final BudgetCheck allowance, final JobObserved job) {
        final Optional<Shortfall> shortfall = allowance.shortfall(job);
        if (shortfall.isEmpty()) {
            allowance.admit(job);
        }
        return shortfall.map(Shortfall::reason).orElse("fits");
    }

    /** */
    @Test
    void ended_and_running_jobs_count_against_the_budget() {
        final BudgetScenario site = new BudgetScenario()
                .grant(PHYSICS, hours(PeriodKind.MONTH, 1200))
                .ended(end("e1", "anna", 100, 10, YESTERDAY))
                .runs("r1", "bob", 10, 20);
        assertThat(because(site.allowance(), job("anna", 1, 1)))
                .isEqualTo("budget of project 'physics' for 2026-11 is used up"
                        + " (1200.0 of 1200.0 core-hours spent or reserved; the job requests 1.0)");
    }

    /** */
    @Test
    void a_job_that_just_fits_is_released_and_counts_for_the_next() {
        final BudgetCheck allowance =
                new BudgetScenario().grant(ANNA, hours(PeriodKind.MONTH, 10)).allowance();
        assertThat(because(allowance, job("anna", 1, 8))).isEqualTo("fits");
        assertThat(because(allowance, job("anna", 1, 3)))
                .isEqualTo("budget of user 'anna' for 2026-11 leaves too little"
                        + " (8.0 of 10.0 core-hours spent or reserved; the job requests 3.0)");
        assertThat(because(allowance, job("anna", 1, 2))).isEqualTo("fits");
    }

    /** */
    @Test
    void week_month_and_year_budgets_apply_together() {
        final BudgetScenario site = new BudgetScenario()
                .grant(ANNA, hours(PeriodKind.WEEK, 10), hours(PeriodKind.MONTH, 30), hours(PeriodKind.YEAR, 100))
                .ended(end("e1", "anna", 1, 25, Instant.parse("2026-11-10T12:00:00Z")))
                .ended(end("e2", "anna", 1, 72, OCTOBER));
        assertThat(because(site.allowance(), job("anna", 1, 3))).isEqualTo("fits");
        assertThat(because(site.allowance(), job("anna", 1, 4))).contains("for 2026 leaves too little (97.0");
        assertThat(because(site.allowance(), job("anna", 1, 6))).contains("for 2026-11 leaves too little (25.0");
        assertThat(because(site.allowance(), job("anna", 1, 11))).contains("for 2026-W47 leaves too little (0.0");
    }

    /** */
    @Test
    void a_user_without_a_budget_has_the_default_and_groups_count_all_members() {
        final BudgetScenario site = new BudgetScenario()
                .byDefault(hours(PeriodKind.MONTH, 5))
                .grant(ANNA, hours(PeriodKind.MONTH, 50))
                .grant(new QuotaHolder(QuotaHolder.Kind.GROUP, "students"), hours(PeriodKind.MONTH, 20))
                .ended(end("e1", "bob", 1, 4, YESTERDAY));
        assertThat(because(site.allowance(), job("bob", 1, 2))).startsWith("budget of user 'bob'");
        assertThat(because(site.allowance(), job("carl", 1, 5))).isEqualTo("fits");
        assertThat(because(site.allowance(), job("anna", 1, 17))).startsWith("budget of group 'students'");
        assertThat(because(site.allowance(), job("anna", 1, 16))).isEqualTo("fits");
    }

    /** */
    @Test
    void a_new_month_starts_with_the_reservations_of_running_jobs_only() {
        final BudgetScenario site = new BudgetScenario()
                .grant(ANNA, hours(PeriodKind.MONTH, 10))
                .ended(end("e1", "anna", 1, 10, YESTERDAY))
                .runs("r1", "anna", 1, 4);
        assertThat(because(site.allowance(Instant.parse("2026-11-30T22:59:59Z")), job("anna", 1, 6)))
                .contains("for 2026-11 is used up (14.0");
        assertThat(because(site.allowance(Instant.parse("2026-11-30T23:00:00Z")), job("anna", 1, 6)))
                .isEqualTo("fits");
        assertThat(because(site.allowance(Instant.parse("2026-11-30T23:00:00Z")), job("anna", 1, 7)))
                .contains("for 2026-12 leaves too little (4.0");
    }

    /** */
    @Test
    void a_daily_refill_gives_an_equal_part_each_day() {
        final BudgetGrant daily =
                new BudgetGrant(PeriodKind.MONTH, 30 * 3600L, null, Refill.DAILY, 0, Exhausted.HOLD, false);
        final BudgetScenario site = new BudgetScenario().grant(ANNA, daily);
        assertThat(because(site.allowance(), job("anna", 1, 21))).isEqualTo("fits");
        assertThat(because(site.allowance(), job("anna", 1, 22))).contains("(0.0 of 21.0 core-hours");
        assertThat(site.rules().nextChange(NOW)).contains(Instant.parse("2026-11-21T23:00:00Z"));
    }

    /** */
    @Test
    void unspent_hours_are_carried_over_once_up_to_the_limit() {
        final BudgetGrant half =
                new BudgetGrant(PeriodKind.MONTH, 10 * 3600L, null, Refill.AT_START, 50, Exhausted.HOLD, false);
        final BudgetScenario nothingSpent = new BudgetScenario().grant(ANNA, half);
        assertThat(because(nothingSpent.allowance(), job("anna", 1, 15))).isEqualTo("fits");
        assertThat(because(nothingSpent.allowance(), job("anna", 1, 16))).contains("of 15.0 core-hours");
        final BudgetScenario mostSpent = new BudgetScenario().grant(ANNA, half).ended(end("e1", "anna", 1, 8, OCTOBER));
        assertThat(because(mostSpent.allowance(), job("anna", 1, 12))).isEqualTo("fits");
        assertThat(because(mostSpent.allowance(), job("anna", 1, 13))).contains("of 12.0 core-hours");
        final BudgetScenario overspent =
                new BudgetScenario().grant(ANNA, half).ended(end("e1", "anna", 1, 14, OCTOBER));
        assertThat(because(overspent.allowance(), job("anna", 1, 10))).isEqualTo("fits");
    }

    /** */
    @Test
    void a_factor_changes_the_cost_of_hours() {
        final BudgetScenario half = new BudgetScenario().factor(500).grant(ANNA, hours(PeriodKind.MONTH, 10));
        assertThat(because(half.allowance(), job("anna", 1, 20))).isEqualTo("fits");
        assertThat(because(half.allowance(), job("anna", 1, 21))).contains("the job requests 10.5");
    }

    @Test
    void gpu_hours_are_a_separate_budget() {
        final BudgetGrant noGpus =
                new BudgetGrant(PeriodKind.YEAR, null, 0L, Refill.AT_START, 0, Exhausted.BORROW, false);
        final BudgetCheck allowance = new BudgetScenario().grant(ANNA, noGpus).allowance();
        assertThat(because(allowance, job("anna", 100, 100))).isEqualTo("fits");
    }

    /** */
    @Test
    void a_job_without_a_walltime_limit_fits_within_no_budget() {
        final BudgetCheck allowance =
                new BudgetScenario().grant(ANNA, hours(PeriodKind.MONTH, 10)).allowance();
        assertThat(because(allowance, waiting("w", "anna", 1, null))).contains("request a walltime");
        assertThat(because(allowance, waiting("w", "bob", 1, null))).isEqualTo("fits");
        assertThat(because(allowance, waiting("w", "anna", 1, Duration.ofSeconds(Long.MAX_VALUE))))
                .contains("leaves too little");
    }

    /** */
    @Test
    void the_strictest_exhausted_budget_decides() {
        final BudgetGrant borrow =
                new BudgetGrant(PeriodKind.MONTH, 0L, null, Refill.AT_START, 0, Exhausted.BORROW, false);
        final BudgetGrant last = new BudgetGrant(PeriodKind.YEAR, 0L, null, Refill.AT_START, 0, Exhausted.LAST, false);
        final BudgetScenario site = new BudgetScenario().grant(ANNA, last, borrow);
        assertThat(site.allowance().shortfall(job("anna", 1, 1)))
                .map(Shortfall::effect)
                .contains(Exhausted.BORROW);
        site.grant(PHYSICS, hours(PeriodKind.WEEK, 0));
        assertThat(site.allowance().shortfall(job("anna", 1, 1)))
                .map(Shortfall::effect)
                .contains(Exhausted.HOLD);
    }

    /** */
    @Test
    void a_job_reserves_at_the_factor_of_its_class_while_it_waits_and_while_it_runs() {
        final BudgetScenario site = new BudgetScenario()
                .grant(ANNA, hours(PeriodKind.MONTH, 30))
                .runs("r1", "anna", 10, 2)
                .classified("r1", "urgent")
                .classified("w", "urgent");
        assertThat(because(site.allowance(), job("anna", 1, 1)))
                .contains("(30.0 of 30.0 core-hours spent or reserved; the job requests 1.5)");
        assertThat(because(site.classified("r1", "night").allowance(), job("anna", 1, 16)))
                .as("5 + 24 of 30")
                .isEqualTo("fits");
    }

    /** */
    @Test
    void the_remaining_part_is_that_of_the_scarcest_budget_and_zero_without_a_budget() {
        final BudgetScenario site = new BudgetScenario()
                .grant(ANNA, hours(PeriodKind.MONTH, 100), hours(PeriodKind.YEAR, 1000))
                .ended(end("e1", "anna", 1, 20, YESTERDAY))
                .runs("r1", "anna", 1, 10);
        assertThat(site.allowance().remaining_percent(job("anna", 1, 1))).isEqualTo(70);
        assertThat(site.allowance().remaining_percent(job("bob", 1, 1))).isZero();
        assertThat(site.ended(end("e2", "anna", 100, 10, YESTERDAY)).allowance().remaining_percent(job("anna", 1, 1)))
                .isZero();
    }
}
