package io.millrace.quota.domain.budget;

import static io.millrace.quota.domain.budget.BudgetScenario.ALPHA;
import static io.millrace.quota.domain.budget.BudgetScenario.NOW;
import static io.millrace.quota.domain.budget.BudgetScenario.end;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.Published.Difference;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.quota.BudgetPeriod;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.model.quota.QuotaHolder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClusterChargesTest {

    private final BudgetRules rules = new BudgetScenario()
            .byDefault(BudgetScenario.hours(PeriodKind.MONTH, 100))
            .rules();
    private final ClusterCharges charges = new ClusterCharges(ALPHA, rules);
    private final BudgetUsage sums = new BudgetUsage(rules);
    private final BudgetPeriod november = BudgetPeriod.of(PeriodKind.MONTH, NOW, BudgetScenario.BERLIN);

    private ProcessorTime spent(final BudgetUsage where) {
        return where.spent(QuotaHolder.of(UserName.of("anna")), november);
    }

    /** */
    @Test
    void a_repeated_run_is_charged_once() {
        charges.ended(end("e1", "anna", 2, 1, NOW));
        charges.ended(end("e1", "anna", 2, 1, NOW));
        assertThat(charges.book(job -> List.of(), NOW)).hasSize(1);
        charges.publish(sums, NOW);
        charges.ended(end("e1", "anna", 2, 1, NOW));
        assertThat(charges.book(job -> List.of(), NOW)).isEmpty();
        assertThat(charges.publish(sums, NOW).put()).isEmpty();
        assertThat(spent(sums)).isEqualTo(new ProcessorTime(7200, 0));
    }

    @Test
    void another_instance_continues_from_the_published_charges() {
        final Random random = new Random(11);
        final List<RunEnded> ends = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ends.add(end("e" + i, "anna", 1 + random.nextInt(8), 1, NOW.minus(Duration.ofHours(random.nextInt(2000)))));
        }
        ends.forEach(charges::ended);
        charges.book(job -> List.of(), NOW);
        charges.publish(sums, NOW);
        for (int died = 0; died <= ends.size(); died += 50) {
            final BudgetUsage others = new BudgetUsage(rules);
            final ClusterCharges first = new ClusterCharges(ALPHA, rules);
            ends.subList(0, died).forEach(first::ended);
            first.book(job -> List.of(), NOW);
            final Difference<String, Charges> said = first.publish(new BudgetUsage(rules), NOW);
            final ClusterCharges successor = new ClusterCharges(ALPHA, rules);
            said.put().forEach(charged -> {
                successor.replayed(charged);
                others.put(charged);
            });
            ends.subList(died, ends.size()).forEach(successor::ended);
            successor.book(job -> List.of(), NOW);
            successor.publish(others, NOW);
            assertThat(spent(others)).isEqualTo(spent(sums));
            assertThat(successor.publish(others, NOW).put()).isEmpty();
        }
    }

    /** */
    @Test
    void a_period_is_closed_a_week_after_its_end_and_late_runs_are_charged_later() {
        final Instant october = Instant.parse("2026-10-31T22:59:59Z");
        final Instant due = Instant.parse("2026-11-07T23:00:00Z");
        charges.ended(end("e1", "anna", 2, 1, october));
        final LedgerEntry inTime =
                charges.book(job -> List.of(), due.minusSeconds(1)).getFirst();
        assertThat(inTime.periods()).containsExactly("2026-W44", "2026-10", "2026");
        assertThat(inTime.bookedAt()).isNull();
        assertThat(charges.close(due.minusSeconds(1)))
                .extracting(LedgerClosed::period)
                .containsExactly("2026-W43", "2026-09", "2025");

        charges.ended(end("e2", "anna", 2, 1, october));
        final LedgerEntry late = charges.book(job -> List.of(), due).getFirst();
        assertThat(late.periods()).containsExactly("2026-W45", "2026-11", "2026");
        assertThat(late.endedAt()).isEqualTo(october);
        assertThat(late.bookedAt()).isEqualTo(due);
        assertThat(charges.close(due))
                .containsExactly(new LedgerClosed(ALPHA, "2026-10", Instant.parse("2026-10-31T23:00:00Z"), due));
        assertThat(charges.close(due.plusSeconds(1))).isEmpty();
    }

    /** */
    @Test
    void a_closed_period_stays_closed_for_an_instance_whose_clock_is_behind() {
        final Instant until = Instant.parse("2026-10-31T23:00:00Z");
        final Instant due = until.plus(BudgetScenario.CLOSE_AFTER);
        charges.closed(new LedgerClosed(ALPHA, "2026-10", until, due));
        charges.ended(end("e1", "anna", 2, 1, until.minusSeconds(1)));
        final Instant behind = due.minusSeconds(5);
        assertThat(charges.book(job -> List.of(), behind).getFirst().periods()).contains("2026-11");
        assertThat(charges.close(behind)).extracting(LedgerClosed::period).doesNotContain("2026-10", "2026-09");
    }

    @Test
    void old_periods_and_users_without_periods_are_removed() {
        charges.ended(end("e1", "anna", 2, 1, NOW));
        charges.book(job -> List.of(), NOW);
        final Charges said = charges.publish(sums, NOW).put().getFirst();
        assertThat(said.spent()).extracting(Charges.Spent::period).containsExactly("2026", "2026-11", "2026-W47");
        final Instant january = Instant.parse("2027-01-20T12:00:00Z");
        assertThat(charges.publish(sums, january).put().getFirst().spent())
                .extracting(Charges.Spent::period)
                .containsExactly("2026");
        assertThat(charges.publish(sums, Instant.parse("2028-01-20T12:00:00Z")).removed())
                .containsExactly("alpha/charges/anna/physics");
        assertThat(spent(sums)).isEqualTo(ProcessorTime.NONE);
    }
}
