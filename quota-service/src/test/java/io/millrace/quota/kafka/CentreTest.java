package io.millrace.quota.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Preemption.Mode;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetGrant.Exhausted;
import io.millrace.model.quota.BudgetGrant.Refill;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.Tariff;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import io.millrace.quota.domain.view.QuotaPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Decisions of quota-service over several clusters and over time. */
class CentreTest {

    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Duration hours(final int hours) {
        return Duration.ofHours(hours);
    }

    // ---- processor-hours over all clusters

    private static Centre limited(final int hours, final boolean queued, final boolean overtaking) {
        final ProcessorHourLimits limits =
                new ProcessorHourLimits(Optional.of(hours * 3600L), Map.of(), Map.of(), GroupMemberships.NONE);
        return new Centre(
                QuotaPolicy.DEFAULT.with(new ProcessorHourRules(limits, false, queued, overtaking)),
                BudgetRules.NONE,
                NOON);
    }

    @Test
    void a_held_job_is_released_when_a_job_on_another_cluster_ends() {
        final Centre centre = limited(10, false, false)
                .runs("beta", "r", "anna", 1, hours(8))
                .waits("alpha", "a", "anna", 1, hours(4))
                .looks("beta", 8)
                .looks("alpha", 8);
        assertThat(centre.of("a").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(centre.of("a").reason()).contains("(4 requested; 8 in use or released before)");

        centre.leaves("r").looks("beta", 8);

        assertThat(centre.of("a").level()).isNotEqualTo(EntitlementLevel.HELD);
    }

    @Test
    void two_clusters_can_exceed_the_limit_together_unless_queued_jobs_count() {
        final Centre centre = limited(10, false, false)
                .waits("alpha", "a", "anna", 1, hours(6))
                .waits("beta", "b", "anna", 1, hours(6))
                .looks("beta", 8)
                .looks("alpha", 8);

        assertThat(centre.of("a").level()).isNotEqualTo(EntitlementLevel.HELD);
        assertThat(centre.of("b").level()).isNotEqualTo(EntitlementLevel.HELD);
        centre.starts("a").looks("alpha", 8);
        assertThat(centre.of("b").level()).as("of what runs it always hears").isEqualTo(EntitlementLevel.HELD);
    }

    @Test
    void if_queued_jobs_count_those_of_earlier_clusters_use_the_limit_until_they_leave() {
        final Centre centre =
                limited(10, true, false).waits("beta", "b", "anna", 1, hours(6)).looks("beta", 8);
        assertThat(centre.of("b").level()).isNotEqualTo(EntitlementLevel.HELD);

        centre.waits("alpha", "a", "anna", 1, hours(6)).looks("alpha", 8);
        assertThat(centre.of("a").level()).as("alpha comes first").isNotEqualTo(EntitlementLevel.HELD);
        assertThat(centre.of("b").level()).isEqualTo(EntitlementLevel.HELD);

        centre.starts("a").looks("alpha", 8);
        assertThat(centre.of("b").level()).as("it counts once, now as running").isEqualTo(EntitlementLevel.HELD);
        centre.leaves("a").looks("alpha", 8);
        assertThat(centre.of("b").level()).isNotEqualTo(EntitlementLevel.HELD);
    }

    @Test
    void the_oldest_waiting_jobs_count_elsewhere_and_a_small_one_overtakes_only_if_configured() {
        for (final boolean overtaking : List.of(false, true)) {
            final Centre centre = limited(10, true, overtaking)
                    .waits("alpha", "oldest", "anna", 1, hours(4))
                    .waits("alpha", "large", "anna", 1, hours(8))
                    .waits("alpha", "small", "anna", 1, hours(2))
                    .waits("beta", "b", "anna", 1, hours(5))
                    .looks("alpha", 8)
                    .looks("beta", 8);

            assertThat(centre.of("oldest").level()).isNotEqualTo(EntitlementLevel.HELD);
            assertThat(centre.of("large").level()).isEqualTo(EntitlementLevel.HELD);
            assertThat(centre.of("small").level() == EntitlementLevel.HELD).isEqualTo(!overtaking);
            assertThat(centre.of("b").level() == EntitlementLevel.HELD)
                    .as("4 + 5 of 10, or 4 + 2 + 5")
                    .isEqualTo(overtaking);
        }
    }

    @Test
    void a_job_that_never_fits_is_held_and_does_not_block_others() {
        final Centre centre = limited(10, true, true)
                .runsWithoutLimit("alpha", "r", "anna", 4)
                .waits("alpha", "huge", "anna", 11, hours(1))
                .waits("beta", "b", "anna", 1, hours(10))
                .looks("alpha", 8)
                .looks("beta", 8);

        assertThat(centre.of("huge").reason()).contains("never fits");
        assertThat(centre.of("b").level()).isNotEqualTo(EntitlementLevel.HELD);
    }

    // ---- offers for global jobs

    @Test
    void each_cluster_offers_its_cost_for_a_global_job_until_it_is_placed() {
        final Centre centre = new Centre(QuotaPolicy.DEFAULT, BudgetRules.NONE, NOON)
                .quota("alpha", "anna", 4)
                .quota("beta", "anna", 4)
                .quota("gamma", "anna", 4)
                .runs("alpha", "a1", "bob", 8, hours(9))
                .runs("beta", "b1", "bob", 4, hours(9))
                .runs("beta", "b2", "bob", 4, hours(9))
                .looks("alpha", 8)
                .looks("beta", 8)
                .looks("gamma", 8);

        final GlobalJobId job = centre.handsIn("anna", 4);

        assertThat(centre.offers())
                .as("gamma has room")
                .extracting(PlacementOffered::cluster, PlacementOffered::victims, PlacementOffered::lostCoreSeconds)
                .containsExactly(tuple(ClusterId.of("alpha"), 1, 8 * 3600L), tuple(ClusterId.of("beta"), 1, 4 * 3600L));
        assertThat(centre.commands()).as("a price is no order").isEmpty();
        centre.isGone(job);
        assertThat(centre.offers()).isEmpty();
    }

    // ---- suspended victims

    /** Bob's job is suspended for anna's. */
    private static Centre suspending() {
        return new Centre(
                        QuotaPolicy.DEFAULT.with(
                                new PreemptModePolicy(List.of(Mode.REQUEUE, Mode.SUSPEND), Duration.ofMinutes(2))),
                        BudgetRules.NONE,
                        NOON)
                .quota("alpha", "anna", 8)
                .runs("alpha", "b", "bob", 8, hours(9))
                .waits("alpha", "a", "anna", 8, hours(1))
                .looks("alpha", 8);
    }

    private static void annaRunsInsteadOfBob(final Centre centre) {
        centre.answers(centre.commands().getFirst(), new Result.Done(null, "1 job suspended"));
        centre.isSuspended("b").starts("a").looks("alpha", 8);
    }

    @Test
    void a_victim_is_suspended_if_that_loses_least_and_resumes_when_the_beneficiary_has_left() {
        final Centre centre = suspending();
        assertThat(centre.commands().getFirst().action())
                .isInstanceOfSatisfying(
                        Action.Reclaim.class,
                        reclaim -> assertThat(reclaim.allPreemptions())
                                .extracting(Preemption::victim, Preemption::mode, Preemption::lostCoreSeconds)
                                .containsExactly(tuple(centre.key("b"), Mode.SUSPEND, 0L)));
        annaRunsInsteadOfBob(centre);
        assertThat(centre.commands()).hasSize(1);

        centre.leaves("a").looks("alpha", 8);

        assertThat(centre.commands().getLast().action()).isEqualTo(new Action.Resume(centre.key("b")));
    }

    @Test
    void a_suspended_victim_is_remembered_after_a_restart_and_after_a_refused_resume() {
        final Centre centre = suspending();
        annaRunsInsteadOfBob(centre);
        centre.restarts();
        centre.leaves("a").looks("alpha", 8);
        final Command refused = centre.commands().getLast();
        assertThat(refused.action()).isEqualTo(new Action.Resume(centre.key("b")));
        centre.looks("alpha", 8);

        centre.answers(refused, new Result.Refused(Refusal.STALE, "0 cores are idle"));
        centre.at(NOON.plusSeconds(60));
        centre.looks("alpha", 8);

        assertThat(centre.commands().getLast().action()).isEqualTo(refused.action());
        assertThat(centre.commands().getLast().id()).isNotEqualTo(refused.id());
    }

    // ---- budgets over time

    private static Centre budgeted(final BudgetGrant grant, final Instant now) {
        final BudgetRules rules = new BudgetRules(
                BERLIN, Tariff.FLAT, Map.of(), List.of(grant), GroupMemberships.NONE, BudgetRules.CLOSE_AFTER);
        return new Centre(QuotaPolicy.DEFAULT, rules, now).quota("alpha", "anna", 8);
    }

    private static BudgetGrant monthly(
            final int hours, final Refill refill, final int carryOver, final Exhausted exhausted) {
        return new BudgetGrant(PeriodKind.MONTH, hours * 3600L, null, refill, carryOver, exhausted, false);
    }

    @Test
    void a_daily_refill_comes_at_local_midnight_also_on_a_day_of_23_hours() {
        final Instant eve = Instant.parse("2026-03-28T20:00:00Z");
        // 28 of 31 hours are available; the 29th follows at midnight, the 30th 23 hours later.
        final Centre centre = budgeted(monthly(31, Refill.DAILY, 0, Exhausted.HOLD), eve)
                .waits("alpha", "a", "anna", 29, hours(1))
                .waits("alpha", "b", "anna", 1, hours(1))
                .looks("alpha", 64);
        assertThat(centre.of("a").reason()).contains("(0.0 of 28.0 core-hours");

        assertThat(centre.wakesAt()).contains(Instant.parse("2026-03-28T23:00:00Z"));
        centre.at(Instant.parse("2026-03-28T22:59:59Z"));
        assertThat(centre.of("a").level()).isEqualTo(EntitlementLevel.HELD);
        centre.at(Instant.parse("2026-03-28T23:00:00Z"));
        assertThat(centre.of("a").level()).isNotEqualTo(EntitlementLevel.HELD);
        assertThat(centre.of("b").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(centre.wakesAt()).contains(Instant.parse("2026-03-29T22:00:00Z"));
        centre.at(Instant.parse("2026-03-29T22:00:00Z"));
        assertThat(centre.of("b").level()).isNotEqualTo(EntitlementLevel.HELD);
    }

    /** */
    @Test
    void a_requested_budget_applies_at_once_and_its_removal_too() {
        final Centre centre = budgeted(monthly(10, Refill.AT_START, 0, Exhausted.HOLD), NOON)
                .waits("alpha", "a", "anna", 1, hours(8))
                .waits("alpha", "b", "bob", 1, hours(8))
                .looks("alpha", 8);
        assertThat(centre.of("a").level()).isNotEqualTo(EntitlementLevel.HELD);

        centre.budget(set(
                QuotaHolder.of(UserName.of("anna")), List.of(monthly(5, Refill.AT_START, 0, Exhausted.HOLD)), null));
        assertThat(centre.of("a").reason()).contains("budget of user 'anna'", "of 5.0 core-hours");
        assertThat(centre.of("b").level()).isNotEqualTo(EntitlementLevel.HELD);

        centre.restarts();
        assertThat(centre.of("a").level()).isEqualTo(EntitlementLevel.HELD);

        centre.noBudget(QuotaHolder.of(UserName.of("anna")));
        assertThat(centre.of("a").level()).isNotEqualTo(EntitlementLevel.HELD);

        centre.budget(set(null, List.of(), 7 * 3600L));
        assertThat(centre.of("a").reason()).contains("limit");
        assertThat(centre.of("b").level()).isEqualTo(EntitlementLevel.HELD);
    }

    private static BudgetSet set(
            final @Nullable QuotaHolder holder, final List<BudgetGrant> grants, final @Nullable Long limit) {
        return new BudgetSet(holder, grants, limit, BERLIN.getId(), UserName.of("olga"), "for the test", NOON, 1);
    }

    @Test
    void a_leap_day_refills_its_part_and_ends_the_month() {
        final Centre centre = budgeted(
                        monthly(29, Refill.DAILY, 0, Exhausted.HOLD), Instant.parse("2028-02-28T12:00:00Z"))
                .waits("alpha", "a", "anna", 29, hours(1))
                .looks("alpha", 64);

        assertThat(centre.of("a").reason()).contains("for 2028-02", "(0.0 of 28.0 core-hours");
        centre.at(Instant.parse("2028-02-28T23:00:00Z"));
        assertThat(centre.of("a").level()).isNotEqualTo(EntitlementLevel.HELD);
        centre.at(Instant.parse("2028-02-29T23:00:00Z"));
        assertThat(centre.of("a").reason()).contains("for 2028-03", "of 0.9 core-hours");
    }

    @Test
    void unspent_hours_pass_to_the_next_month_up_to_the_carry_over() {
        final Centre centre =
                budgeted(monthly(10, Refill.AT_START, 50, Exhausted.HOLD), Instant.parse("2026-03-31T12:00:00Z"));
        centre.ended("e", "anna", 1, hours(8), new RunOutcome.Exited(0), 0);
        // Of February the whole five hours passed to March: 10 + 5 - 8 are left.
        centre.waits("alpha", "a", "anna", 1, hours(7))
                .waits("alpha", "b", "anna", 1, hours(5))
                .looks("alpha", 8);
        assertThat(centre.of("a").level()).isNotEqualTo(EntitlementLevel.HELD);
        assertThat(centre.of("b").level()).isEqualTo(EntitlementLevel.HELD);

        centre.at(Instant.parse("2026-03-31T22:00:00Z"));

        assertThat(centre.of("b").level())
                .as("April has 10 + 2 hours, for 8 of March's own 10 are spent")
                .isNotEqualTo(EntitlementLevel.HELD);
        centre.waits("alpha", "c", "anna", 1, hours(1)).looks("alpha", 8);
        assertThat(centre.of("c").reason()).contains("(12.0 of 12.0 core-hours");
    }

    @Test
    void the_loss_of_a_preempted_run_is_refunded_at_once() {
        final Centre centre = budgeted(monthly(10, Refill.AT_START, 0, Exhausted.HOLD), NOON)
                .waits("alpha", "a", "anna", 1, hours(6))
                .looks("alpha", 8);
        centre.ended("own", "anna", 1, hours(5), new RunOutcome.Exited(1), 5 * 3600L);
        assertThat(centre.of("a").level())
                .as("what a user's own exit loses is the user's")
                .isEqualTo(EntitlementLevel.HELD);

        final Centre kind = budgeted(monthly(10, Refill.AT_START, 0, Exhausted.HOLD), NOON)
                .waits("alpha", "a", "anna", 1, hours(6))
                .looks("alpha", 8);
        kind.ended("taken", "anna", 1, hours(5), new RunOutcome.Requeued(), 5 * 3600L);
        assertThat(kind.of("a").level()).isNotEqualTo(EntitlementLevel.HELD);
    }

    @Test
    void an_exhausted_budget_holds_borrows_or_puts_last_and_running_jobs_reserve() {
        for (final Exhausted effect : Exhausted.values()) {
            final Centre centre = budgeted(monthly(10, Refill.AT_START, 0, effect), NOON)
                    .runs("alpha", "r", "anna", 1, hours(9))
                    .waits("alpha", "a", "anna", 1, hours(2))
                    .waits("alpha", "b", "bob", 1, hours(2))
                    .looks("alpha", 8);

            final EntitlementLevel right = centre.of("a").level();
            assertThat(right)
                    .isEqualTo(
                            switch (effect) {
                                case HOLD -> EntitlementLevel.HELD;
                                case BORROW -> EntitlementLevel.BORROWED;
                                case LAST -> EntitlementLevel.GUARANTEED;
                            });
            assertThat(centre.of("a").priority() < 0).as("behind everybody").isEqualTo(effect == Exhausted.LAST);
            centre.leaves("r");
            centre.ended("r", "anna", 1, hours(3), new RunOutcome.Exited(0), 0);
            centre.looks("alpha", 8);
            assertThat(centre.of("a").level()).as("it ended early").isEqualTo(EntitlementLevel.GUARANTEED);
            assertThat(centre.of("a").priority()).isGreaterThan(centre.of("b").priority());
        }
    }
}
