package io.millrace.quota.domain;

import static io.millrace.quota.domain.QuotaScenario.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.WeightedTerm;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetGrant.Exhausted;
import io.millrace.model.quota.BudgetGrant.Refill;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.BudgetUsage;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.budget.Tariff;
import io.millrace.quota.domain.priority.PriorityView;
import io.millrace.quota.domain.quota.GroupMemberships;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Q-48 on a cluster: anna is within quota and has a budget of one core-hour; each job requests two. */
class BudgetEntitlementsTest {

    private static BudgetRules rules(final BudgetGrant annas) {
        return new BudgetRules(
                ZoneId.of("UTC"),
                Tariff.FLAT,
                Map.of(QuotaHolder.of(UserName.of("anna")), List.of(annas)),
                List.of(),
                GroupMemberships.NONE,
                BudgetRules.CLOSE_AFTER);
    }

    private static QuotaScenario budget(final Exhausted exhausted) {
        final BudgetGrant oneHour =
                new BudgetGrant(PeriodKind.MONTH, 3600L, null, Refill.AT_START, 0, exhausted, false);
        final BudgetRules rules = rules(oneHour);
        final QuotaScenario scene =
                cluster(8).quota("anna", 8).runs("b", "bob", 8, 10).waits("a", "anna", 2);
        scene.budgets = new Budgets(rules, new BudgetUsage(rules));
        return scene;
    }

    private static QuotaScenario spentAnHour(final boolean cancelsRunning) {
        final BudgetGrant oneHour =
                new BudgetGrant(PeriodKind.MONTH, 3600L, null, Refill.AT_START, 0, Exhausted.HOLD, cancelsRunning);
        final BudgetRules rules = rules(oneHour);
        final BudgetUsage sums = new BudgetUsage(rules);
        sums.put(annaSpent(3600));
        final QuotaScenario scene = cluster(32).runs("r", "anna", 8, 10).runsInteractively("i", "anna", 8, 10);
        scene.runs("b", "bob", 8, 10).waits("w", "anna", 1);
        scene.budgets = new Budgets(rules, sums);
        return scene;
    }

    private static Charges annaSpent(final long core_s) {
        return new Charges(
                QuotaScenario.ALPHA,
                UserName.of("anna"),
                null,
                ProcessorTime.NONE,
                List.of(new Charges.Spent("2026-03", new ProcessorTime(core_s, 0))));
    }

    private static List<Command> cancels(final QuotaScenario scene) {
        return BudgetCancellations.cancels(scene.quotaView(), scene.policy, QuotaScenario.NOON);
    }

    /** */
    @Test
    void running_jobs_of_a_spent_budget_are_cancelled_only_if_configured_and_not_interactive() {
        assertThat(cancels(spentAnHour(false))).isEmpty();
        final QuotaScenario scene = spentAnHour(true);
        assertThat(cancels(scene)).hasSize(1);
        final Command cancel = cancels(scene).getFirst();
        assertThat(cancel.action()).isEqualTo(new Action.Cancel(scene.key("r")));
        assertThat(cancel.preconditions()).containsExactly(new Precondition.JobRuns(scene.key("r")));
        assertThat(cancel.reason())
                .startsWith("budget of user 'anna' for 2026-03 is spent, and its running jobs are cancelled (1.0");
        scene.commands.apply(cancel, 1);
        assertThat(cancels(scene)).as("under way").isEmpty();
        assertThat(cancels(spentAnHour(true).stale("squeue")))
                .as("unknown is not running")
                .isEmpty();
    }

    private static Entitlement of(final QuotaScenario scene) {
        return scene.plan().entitlements().get(scene.key("a"));
    }

    /** */
    @Test
    void a_job_without_budget_is_held_and_no_job_is_preempted_for_it() {
        final QuotaScenario scene = budget(Exhausted.HOLD);
        assertThat(of(scene).level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(of(scene).reason()).startsWith("budget of user 'anna' for 2026-03 leaves too little (0.0 of 1.0");
        assertThat(scene.plan().reclaims()).isEmpty();
    }

    /** */
    @Test
    void a_job_without_budget_can_run_on_borrowed_cores_if_configured() {
        final QuotaScenario scene = budget(Exhausted.BORROW);
        assertThat(of(scene).level()).isEqualTo(EntitlementLevel.BORROWED);
        assertThat(scene.plan().reclaims()).isEmpty();
    }

    @Test
    void running_jobs_are_not_affected_by_the_budget() {
        final QuotaScenario scene = budget(Exhausted.HOLD).runs("r", "anna", 8, 10);
        assertThat(scene.plan().entitlements().get(scene.key("r")).level()).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(scene.plan().reclaims()).isEmpty();
    }

    /** */
    @Test
    void the_remaining_budget_is_a_term_of_the_priority() {
        final QuotaScenario scene = cluster(8).quota("anna", 8).waits("a", "anna", 1);
        final BudgetGrant twoHours =
                new BudgetGrant(PeriodKind.MONTH, 7200L, null, Refill.AT_START, 0, Exhausted.HOLD, false);
        final BudgetRules rules = rules(twoHours);
        final BudgetUsage sums = new BudgetUsage(rules);
        sums.put(annaSpent(3000));
        scene.budgets = new Budgets(rules, sums);
        scene.priority = PriorityView.of(
                PriorityRules.NONE.weighing(Map.of(PriorityTerm.BUDGET, 1000)), job -> List.of(), List.of());

        assertThat(of(scene).terms()).contains(new WeightedTerm(PriorityTerm.BUDGET, 58, 1000));
        assertThat(of(scene).priority()).isEqualTo(1_000_580);
    }

    /** */
    @Test
    void a_job_without_budget_can_keep_its_level_and_be_last_if_configured() {
        final QuotaScenario scene = budget(Exhausted.LAST);
        assertThat(of(scene).level()).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(of(scene).priority()).isNegative();
        assertThat(scene.plan().reclaims()).hasSize(1);
    }

    /** */
    @Test
    void a_job_that_may_only_borrow_is_limited_by_the_quota() {
        final BudgetGrant nothing =
                new BudgetGrant(PeriodKind.MONTH, 0L, null, Refill.AT_START, 0, Exhausted.BORROW, false);
        final BudgetRules rules = rules(nothing);
        final QuotaScenario scene = cluster(16).quotaOf("anna", 2, new QuotaTerms(null, 4, null, List.of()));
        scene.waits("a", "anna", 2)
                .waits("wide", "anna", 8)
                .waits("more", "anna", 3)
                .waits("last", "anna", 3);
        scene.budgets = new Budgets(rules, new BudgetUsage(rules));

        final Map<JobKey, Entitlement> all = scene.plan().entitlements();
        assertThat(all.get(scene.key("a")).level())
                .as("on her own cores, without a right to them")
                .isEqualTo(EntitlementLevel.BORROWED);
        assertThat(all.get(scene.key("wide")).level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(all.get(scene.key("wide")).reason()).startsWith("borrowing limit");
        assertThat(all.get(scene.key("more")).level()).isEqualTo(EntitlementLevel.BORROWED);
        assertThat(all.get(scene.key("last")).level()).isEqualTo(EntitlementLevel.HELD);
    }
}
