package io.millrace.quota.domain.budget;

import static io.millrace.quota.domain.budget.BudgetScenario.ALPHA;
import static io.millrace.quota.domain.budget.BudgetScenario.NOW;
import static io.millrace.quota.domain.budget.BudgetScenario.end;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.LedgerEntry.Kind;
import io.millrace.model.quota.LedgerEntry.Posting;
import io.millrace.model.quota.ProcessorTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RunBillingTest {

    private static final Resources TWO_CORES_ONE_GPU = new Resources(2, 1, 0, 1);

    private static final Map<String, Long> NONE = Map.of();
    private static final List<String> UNCLASSIFIED = List.of();

    private final RunBilling settlement = settlement(NONE);

    /** A factor of 1.5 for the cluster, and these factors of classes. */
    private static RunBilling settlement(final Map<String, Long> classes) {
        return new RunBilling(
                new Tariff(Map.of(ALPHA, 1500L), classes), new ClosedPeriods(ALPHA, new BudgetScenario().rules()));
    }

    private LedgerEntry settle(final RunOutcome outcome, final long lost_core_s) {
        return settlement
                .of(end("e", "anna", TWO_CORES_ONE_GPU, 1001, NOW, outcome, lost_core_s), UNCLASSIFIED, NOW)
                .orElseThrow();
    }

    /** */
    @Test
    void a_run_is_charged_by_the_second_at_the_tariff_of_its_cluster() {
        final LedgerEntry entry = settle(new RunOutcome.Exited(1), 0);
        assertThat(entry.postings())
                .containsExactly(
                        new Posting(Kind.CHARGE, "use/anna/physics", "cluster/alpha", new ProcessorTime(3003, 1501)));
        assertThat(entry.ratePermille()).isEqualTo(1500);
        assertThat(entry.periods()).containsExactly("2026-W47", "2026-11", "2026");
    }

    /** */
    @Test
    void class_and_cluster_factors_multiply_in_charge_and_refund() {
        final RunBilling priced = settlement(Map.of("urgent", 1333L, "night", 250L));
        final LedgerEntry entry = priced.of(
                        end("e", "anna", TWO_CORES_ONE_GPU, 1001, NOW, new RunOutcome.Requeued(), 2002),
                        List.of("night", "urgent", "wide"),
                        NOW)
                .orElseThrow();

        assertThat(entry.surcharge()).isEqualTo(new LedgerEntry.Surcharge("urgent", 1333));
        assertThat(entry.postings().getFirst().amount())
                .as("2002 x 1.5 x 1.333 and 1001 x 1.5 x 1.333, parts of a second dropped once, at the end")
                .isEqualTo(new ProcessorTime(4002, 2001));
        assertThat(entry.cost()).isEqualTo(ProcessorTime.NONE);
        assertThat(priced.of(end("e", "anna", 1, 1, NOW), List.of("wide"), NOW)
                        .orElseThrow()
                        .surcharge())
                .isNull();
    }

    @Test
    void the_product_of_factors_is_at_most_one_hundred() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settlement(Map.of("urgent", 70_000L)))
                .withMessageContaining("at most 100");
        assertThat(new Tariff(Map.of(ALPHA, 10_000L), Map.of("urgent", 10_000L))
                        .rate(ALPHA, List.of("urgent"))
                        .cost(Resources.cores(Integer.MAX_VALUE), Long.MAX_VALUE)
                        .coreSeconds())
                .isEqualTo(10_000_000_000_000_000L);
    }

    /** */
    @Test
    void work_lost_to_preemption_or_node_failure_is_refunded() {
        final LedgerEntry entry = settle(new RunOutcome.Requeued(), 2002);
        assertThat(entry.postings())
                .contains(new Posting(Kind.REFUND, "loss/alpha", "use/anna/physics", new ProcessorTime(3003, 1501)));
        assertThat(entry.cost()).isEqualTo(ProcessorTime.NONE);
        assertThat(settle(new RunOutcome.NodeFailed(), 1000).cost()).isEqualTo(new ProcessorTime(1503, 751));
        assertThat(settle(new RunOutcome.Checkpointed(new CheckpointTaken("dmtcp", "/c", NOW, NOW)), 200)
                        .postings())
                .hasSize(2);
    }

    /** */
    @Test
    void work_lost_by_the_user_is_not_refunded() {
        for (final RunOutcome outcome : List.of(
                new RunOutcome.Exited(1),
                new RunOutcome.Signalled(9),
                new RunOutcome.Cancelled(),
                new RunOutcome.TimedOut(),
                new RunOutcome.Unknown("nobody knows"))) {
            assertThat(settle(outcome, 2002).postings()).as("%s", outcome).hasSize(1);
        }
    }

    /** */
    @Test
    void a_refund_never_exceeds_the_charge() {
        assertThat(settle(new RunOutcome.Requeued(), Long.MAX_VALUE).cost()).isEqualTo(ProcessorTime.NONE);
        assertThat(settle(new RunOutcome.Requeued(), -5).postings()).hasSize(1);
    }

    /** */
    @Test
    void a_run_is_charged_in_the_period_in_which_it_ended() {
        final Instant newYear = Instant.parse("2026-12-31T23:00:00Z");
        assertThat(settlement
                        .of(end("e", "anna", 1, 5000, newYear), UNCLASSIFIED, newYear)
                        .orElseThrow()
                        .periods())
                .containsExactly("2026-W53", "2027-01", "2027");
        assertThat(settlement
                        .of(end("e", "anna", 1, 5000, newYear.minusSeconds(1)), UNCLASSIFIED, newYear)
                        .orElseThrow()
                        .periods())
                .containsExactly("2026-W53", "2026-12", "2026");
    }

    @Test
    void a_job_that_never_ran_costs_nothing() {
        assertThat(settlement.of(end("e", "anna", 1, 0, NOW), UNCLASSIFIED, NOW))
                .isEmpty();
    }

    @Test
    void the_sum_of_all_accounts_is_zero() {
        final Random random = new Random(7);
        final Map<String, Long> balance = new HashMap<>();
        final List<RunOutcome> outcomes =
                List.of(new RunOutcome.Exited(0), new RunOutcome.Requeued(), new RunOutcome.NodeFailed());
        long used = 0;
        for (int i = 0; i < 1000; i++) {
            final LedgerEntry entry = settlement
                    .of(
                            end(
                                    "e" + i,
                                    "u" + random.nextInt(5),
                                    Resources.cores(1 + random.nextInt(64)),
                                    1 + random.nextInt(100_000),
                                    NOW.minusSeconds(random.nextInt(1_000_000)),
                                    outcomes.get(random.nextInt(outcomes.size())),
                                    random.nextInt(1_000_000)),
                            UNCLASSIFIED,
                            NOW)
                    .orElseThrow();
            for (final Posting posting : entry.postings()) {
                balance.merge(posting.debit(), posting.amount().coreSeconds(), Long::sum);
                balance.merge(posting.credit(), -posting.amount().coreSeconds(), Long::sum);
            }
            assertThat(entry.cost().coreSeconds()).isNotNegative();
            used += entry.cost().coreSeconds();
        }
        assertThat(balance.values().stream().mapToLong(Long::longValue).sum()).isZero();
        assertThat(balance.entrySet().stream()
                        .filter(account -> account.getKey().startsWith("use/"))
                        .mapToLong(Map.Entry::getValue)
                        .sum())
                .isEqualTo(used);
    }
}
