package io.millrace.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.Changes;
import io.millrace.model.UserName;
import io.millrace.model.policy.Request.BudgetRequested;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.Tariff;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.domain.quota.QuotaFileMerge;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** one order of precedence between requests and the files for budgets and for limits of processor time. */
class UpdateBudgetsTest {

    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    private static final UserName OLGA = UserName.of("olga");
    private static final QuotaHolder ANNA = QuotaHolder.of("anna");
    private static final QuotaHolder STUDENTS = QuotaHolder.of("group:students");

    private final List<BudgetSet> log = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();

    private static BudgetGrant monthly(final int hours) {
        return new BudgetGrant(
                PeriodKind.MONTH,
                hours * 3600L,
                null,
                BudgetGrant.Refill.AT_START,
                0,
                BudgetGrant.Exhausted.HOLD,
                false);
    }

    private static UpdateBudgets service(final Map<QuotaHolder, List<BudgetGrant>> file) {
        return new UpdateBudgets(
                new BudgetRules(
                        ZoneId.of("Europe/Berlin"),
                        Tariff.FLAT,
                        file,
                        List.of(),
                        GroupMemberships.NONE,
                        Duration.ofDays(7)),
                new ProcessorHourLimits(
                        Optional.of(3600L), Map.of(UserName.of("anna"), 7200L), Map.of(), GroupMemberships.NONE));
    }

    private static BudgetRequested request(
            final @Nullable QuotaHolder holder, final @Nullable List<BudgetGrant> grants, final long basedOn) {
        return new BudgetRequested(holder, grants, null, OLGA, "more", basedOn, NOON);
    }

    private void decide(final UpdateBudgets service) {
        final Changes changes = new Changes();
        service.decide(NOON, changes);
        changes.events().forEach(event -> log.add((BudgetSet) event));
        changes.removals().forEach(removal -> removed.add(removal.key()));
    }

    private @Nullable BudgetSet last(final @Nullable QuotaHolder holder) {
        return log.stream()
                .filter(set -> set.key().equals(BudgetSet.keyOf(holder)))
                .reduce((one, other) -> other)
                .orElse(null);
    }

    @Test
    void the_lines_of_both_files_are_published_once() {
        decide(service(Map.of(ANNA, List.of(monthly(10)))));

        assertThat(last(ANNA)).satisfies(set -> {
            assertThat(set.grants()).containsExactly(monthly(10));
            assertThat(set.limitCoreSeconds()).isEqualTo(7200);
            assertThat(set.author()).isEqualTo(QuotaFileMerge.FILE);
            assertThat(set.zone()).isEqualTo("Europe/Berlin");
        });
        assertThat(last(null))
                .satisfies(set -> assertThat(set.limitCoreSeconds()).isEqualTo(3600));

        final UpdateBudgets restarted = service(Map.of(ANNA, List.of(monthly(10))));
        log.forEach(restarted::replayed);
        final int before = log.size();
        decide(restarted);
        assertThat(log).hasSize(before);
    }

    @Test
    void a_request_replaces_all_that_the_files_say_until_it_is_removed() {
        final UpdateBudgets service = service(Map.of(ANNA, List.of(monthly(10))));
        decide(service);
        service.requested(request(ANNA, List.of(monthly(5)), 1));
        decide(service);
        assertThat(last(ANNA)).satisfies(set -> {
            assertThat(set.grants()).containsExactly(monthly(5));
            assertThat(set.limitCoreSeconds()).as("the request names none").isNull();
            assertThat(set.version()).isEqualTo(2);
        });

        final UpdateBudgets restarted = service(Map.of(ANNA, List.of(monthly(20))));
        log.forEach(restarted::replayed);
        decide(restarted);
        assertThat(last(ANNA).grants()).as("also after a change of the file").containsExactly(monthly(5));

        restarted.requested(request(ANNA, null, 2));
        decide(restarted);
        assertThat(last(ANNA).grants()).containsExactly(monthly(20));
        assertThat(last(ANNA).version()).isEqualTo(3);
    }

    @Test
    void a_removed_line_and_a_removed_request_without_a_line_leave_nothing() {
        final UpdateBudgets service = service(Map.of(QuotaHolder.of("project:x"), List.of(monthly(1))));
        decide(service);
        service.requested(request(QuotaHolder.of("ben"), List.of(monthly(5)), 0));
        decide(service);
        service.requested(request(QuotaHolder.of("ben"), null, 1));
        decide(service);
        assertThat(removed).containsExactly("budget/ben");

        final UpdateBudgets restarted = service(Map.of());
        log.forEach(restarted::replayed);
        restarted.replayedRemoval("budget/ben");
        decide(restarted);
        assertThat(removed).containsExactly("budget/ben", "budget/project:x");
    }

    @Test
    void a_request_on_an_outdated_version_or_for_an_unknown_group_changes_nothing() {
        final UpdateBudgets service = service(Map.of());
        decide(service);
        final int before = log.size();
        service.requested(request(ANNA, List.of(monthly(5)), 7));
        service.requested(request(STUDENTS, List.of(monthly(5)), 0));
        service.requested(request(ANNA, null, 1));
        decide(service);
        assertThat(log).hasSize(before);
        assertThat(removed).isEmpty();
    }
}
