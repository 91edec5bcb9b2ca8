package io.millrace.quota.domain;

import static io.millrace.quota.domain.Scene.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.UserName;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Entitlement.Right;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.budget.Calendar;
import io.millrace.quota.domain.budget.Grant;
import io.millrace.quota.domain.budget.Grant.Exhausted;
import io.millrace.quota.domain.budget.Grant.Refill;
import io.millrace.quota.domain.budget.Subject;
import io.millrace.quota.domain.budget.Sums;
import io.millrace.quota.domain.budget.Tariff;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Q-48 on a cluster: anna has room in her quota and a budget of one core-hour; each job asks for two. */
class BudgetEntitlementsTest {

    private static Scene budget(final Exhausted exhausted) {
        final Grant oneHour = new Grant(Calendar.MONTH, 3600L, null, Refill.AT_START, 0, exhausted);
        final BudgetRules rules = new BudgetRules(
                ZoneId.of("UTC"),
                Tariff.FLAT,
                Map.of(Subject.user(UserName.of("anna")), List.of(oneHour)),
                List.of(),
                Map.of());
        final Scene scene = cluster(8).quota("anna", 8).runs("b", "bob", 8, 10).waits("a", "anna", 2);
        scene.budgets = new Budgets(rules, new Sums(rules));
        return scene;
    }

    private static Entitlement of(final Scene scene) {
        return scene.plan().entitlements().get(scene.key("a"));
    }

    @Test
    void who_has_no_budget_left_is_held_and_nobody_gives_way() {
        final Scene scene = budget(Exhausted.HOLD);
        assertThat(of(scene).right()).isEqualTo(Right.HELD);
        assertThat(of(scene).reason()).startsWith("budget of user 'anna' for 2026-03 leaves too little (0.0 of 1.0");
        assertThat(scene.plan().reclaims()).isEmpty();
    }

    @Test
    void or_runs_on_borrowed_cores_whatever_the_quota_leaves() {
        final Scene scene = budget(Exhausted.BORROW);
        assertThat(of(scene).right()).isEqualTo(Right.BORROWED);
        assertThat(scene.plan().reclaims()).isEmpty();
    }

    @Test
    void or_keeps_the_right_and_comes_last() {
        final Scene scene = budget(Exhausted.LAST);
        assertThat(of(scene).right()).isEqualTo(Right.GUARANTEED);
        assertThat(of(scene).priority()).isNegative();
        assertThat(scene.plan().reclaims()).hasSize(1);
    }
}
