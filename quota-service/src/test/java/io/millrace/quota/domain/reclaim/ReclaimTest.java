package io.millrace.quota.domain.reclaim;

import static io.millrace.quota.domain.QuotaScenario.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.CommandView;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.ReserveVictim;
import io.millrace.model.command.Result;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.VictimOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** victims and beneficiaries. */
class ReclaimTest {

    /** Anna fills the cluster; her quota is half of it. Bob has the other half and waits. */
    private static QuotaScenario bobWaits(final int bobsCores) {
        return QuotaScenario.cluster(8)
                .quota("anna", 4)
                .quota("bob", 4)
                .runs("a1", "anna", 2, 40)
                .runs("a2", "anna", 2, 30)
                .runs("a3", "anna", 2, 20)
                .runs("a4", "anna", 2, 10)
                .waits("b1", "bob", bobsCores);
    }

    /** */
    @Test
    void the_newest_job_beyond_quota_is_preempted() {
        final QuotaScenario scene = bobWaits(2);

        assertThat(victims(scene.plan())).containsExactly(scene.key("a4"));
        assertThat(onlyReclaim(scene.plan()).beneficiary()).isEqualTo(scene.key("b1"));
    }

    @Test
    void a_reclaim_has_all_preconditions() {
        final QuotaScenario scene = bobWaits(3);

        assertThat(scene.plan().reclaims().getFirst().preconditions())
                .containsExactly(
                        new Precondition.JobWaits(scene.key("b1")),
                        new Precondition.JobRuns(scene.key("a4")),
                        new Precondition.JobRuns(scene.key("a3")),
                        new Precondition.OwnerUses(UserName.of("anna"), 8));
    }

    @Test
    void required_idle_cores_are_a_precondition() {
        final QuotaScenario scene = QuotaScenario.cluster(9)
                .quota("bob", 4)
                .runs("a1", "anna", 8, 10)
                .waits("b1", "bob", 2);
        final QuotaScenario narrow = QuotaScenario.cluster(9)
                .quota("bob", 4)
                .runs("a1", "anna", 7, 20)
                .runs("a2", "anna", 1, 10)
                .waits("b1", "bob", 2);

        assertThat(scene.plan().reclaims().getFirst().preconditions())
                .doesNotHaveAnyElementsOfTypes(Precondition.IdleCores.class);
        assertThat(narrow.plan().reclaims().getFirst().preconditions()).contains(new Precondition.IdleCores(1));
    }

    /** */
    @Test
    void borrowed_jobs_that_could_start_on_the_idle_cores_are_the_reserve() {
        final QuotaScenario scene = QuotaScenario.cluster(10)
                .quota("bob", 4)
                .quota("cleo", 2)
                .runs("a1", "anna", 6, 20)
                .runs("a2", "anna", 2, 10)
                .waits("a3", "anna", 2)
                .waits("a4", "anna", 1)
                .waits("tooWide", "anna", 3)
                .waits("notRerunnable", "anna", 1)
                .notRerunnable()
                .waits("array", "anna", 1)
                .array(10)
                .waits("b1", "bob", 4)
                .waits("b2", "bob", 1)
                .waits("guaranteed", "cleo", 1);
        final Command command = scene.plan().reclaims().getFirst();

        assertThat(reclaim(command).victims()).containsExactly(scene.key("a2"));
        assertThat(reclaim(command).allReserve())
                .containsExactly(new ReserveVictim(scene.key("a4"), 0), new ReserveVictim(scene.key("a3"), 0));
        assertThat(command.preconditions()).doesNotHaveAnyElementsOfTypes(Precondition.IdleCores.class);
        assertThat(command.reason()).contains("as are borrowed jobs that start on the idle cores first");
    }

    @Test
    void one_reclaim_starts_as_many_tasks_of_an_array_as_are_within_quota_and_fit() {
        final QuotaScenario scene = QuotaScenario.cluster(12)
                .offering(Capability.START_TASKS)
                .quota("bob", 7)
                .runs("a1", "anna", 4, 40)
                .runs("a2", "anna", 4, 30)
                .runs("a3", "anna", 3, 20)
                .waits("b1", "bob", 2)
                .array(100);
        final Action.Reclaim reclaim = onlyReclaim(scene.plan());

        assertThat(reclaim.tasks()).as("8 cores would exceed the quota of 7").isEqualTo("1-3");
        assertThat(reclaim.victims())
                .as("5 cores beside the idle one")
                .containsExactly(scene.key("a3"), scene.key("a2"));
    }

    @Test
    void a_reclaim_names_only_the_tasks_for_which_victims_are_found() {
        final QuotaScenario scene = QuotaScenario.cluster(12)
                .offering(Capability.START_TASKS)
                .quota("bob", 12)
                .quota("anna", 8)
                .runs("a1", "anna", 4, 40)
                .runs("a2", "anna", 4, 30)
                .runs("a3", "anna", 4, 20)
                .waits("b1", "bob", 2)
                .array(100);

        assertThat(onlyReclaim(scene.plan()).tasks()).isEqualTo("1-2");
    }

    /** */
    @Test
    void idle_cores_are_reserved_for_all_tasks_that_will_start_on_them() {
        final QuotaScenario scene = QuotaScenario.cluster(8)
                .offering(Capability.START_TASKS)
                .quota("bob", 4)
                .quota("cleo", 4)
                .runs("a1", "anna", 4, 40)
                .waits("b1", "bob", 2)
                .array(100)
                .waits("c1", "cleo", 2);

        assertThat(onlyReclaim(scene.plan()).beneficiary()).isEqualTo(scene.key("c1"));
    }

    /** */
    @Test
    void a_job_that_is_protected_when_it_has_just_started_is_in_no_reserve() {
        final QuotaScenario scene = QuotaScenario.cluster(10)
                .quota("bob", 4)
                .runs("a1", "anna", 6, 20)
                .runs("a2", "anna", 2, 10)
                .waits("a3", "anna", 2)
                .waits("b1", "bob", 4);
        scene.policy = scene.policy.with(new PreemptionLimits(
                Duration.ofMinutes(5),
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO));
        final Command command = scene.plan().reclaims().getFirst();

        assertThat(reclaim(command).reserve()).isNull();
        assertThat(command.preconditions()).contains(new Precondition.IdleCores(2));
    }

    /** */
    @Test
    void no_job_is_preempted_for_a_job_that_fits_on_idle_cores() {
        final QuotaScenario scene = QuotaScenario.cluster(8)
                .quota("bob", 4)
                .runs("a1", "anna", 6, 10)
                .waits("b1", "bob", 2);

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(scene.plan().vetoes()).isEmpty();
    }

    /** */
    @Test
    void no_job_is_preempted_for_a_job_beyond_its_own_quota() {
        final QuotaScenario scene = bobWaits(4).quota("bob", 3);

        assertThat(scene.plan().reclaims()).isEmpty();
    }

    /** */
    @Test
    void a_victims_owner_stays_at_or_above_quota() {
        final QuotaScenario scene = bobWaits(4).quota("anna", 6);

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("b1")))
                .isEqualTo(VetoCode.PREEMPTION_INSUFFICIENT.veto(
                        "needs 4 cores; 0 idle + 2 borrowed by others are not enough, so no job is preempted"));
    }

    /** */
    @Test
    void a_job_wider_than_its_owners_quota_can_be_preempted() {
        final QuotaScenario scene = QuotaScenario.cluster(3000)
                .quota("anna", 16)
                .quota("bob", 8)
                .runs("a1", "anna", 3000, 10)
                .waits("b1", "bob", 8);

        assertThat(victims(scene.plan())).containsExactly(scene.key("a1"));
        assertThat(scene.plan().reclaims().getFirst().preconditions())
                .doesNotHaveAnyElementsOfTypes(Precondition.OwnerUses.class);
    }

    @Test
    void a_wide_job_does_not_make_its_owners_small_jobs_preemptible() {
        final QuotaScenario scene = QuotaScenario.cluster(30)
                .quota("anna", 16)
                .quota("bob", 12)
                .runs("a1", "anna", 20, 30)
                .runs("a2", "anna", 10, 5)
                .waits("b1", "bob", 12);

        assertThat(victims(scene.plan())).containsExactly(scene.key("a1"));
    }

    /** */
    @Test
    void no_victim_is_unnecessary() {
        final QuotaScenario scene = QuotaScenario.cluster(6)
                .quota("bob", 4)
                .runs("a1", "anna", 4, 30)
                .runs("a2", "anna", 1, 20)
                .runs("a3", "anna", 1, 10)
                .waits("b1", "bob", 4);

        assertThat(victims(scene.plan())).containsExactly(scene.key("a1"));
    }

    @Test
    void the_order_of_victims_is_configurable() {
        assertThat(victims(bobWaits(2).order(VictimOrder.OLDEST_FIRST).plan()))
                .extracting(key -> key.id().local())
                .containsExactly("a1");
    }

    /** */
    @Test
    void a_sufficient_set_is_found_even_if_the_order_misses_it() {
        // Anna is 5 cores over quota. After her newest job (3) the other (5) is too large; the other alone is
        // sufficient.
        final QuotaScenario scene = QuotaScenario.cluster(14)
                .quota("anna", 9)
                .quota("bob", 5)
                .runs("a1", "anna", 6, 30)
                .runs("a2", "anna", 5, 20)
                .runs("a3", "anna", 3, 10)
                .waits("b1", "bob", 5);

        assertThat(victims(scene.plan())).containsExactly(scene.key("a2"));
    }

    /** */
    @Test
    void holds_of_others_are_respected() {
        for (final HoldKind kind : List.of(HoldKind.USER, HoldKind.OPERATOR, HoldKind.SUBMISSION)) {
            final QuotaScenario scene = bobWaits(2).job("b1", "bob", Resources.cores(2), new JobState.Held(kind));
            assertThat(scene.plan().reclaims()).as("held by %s", kind).isEmpty();
        }
    }

    /** */
    @Test
    void ending_and_unknown_jobs_are_neither_preempted_nor_counted_as_running() {
        final QuotaScenario scene = QuotaScenario.cluster(8)
                .quota("anna", 4)
                .quota("bob", 4)
                .runs("a1", "anna", 4, 40)
                .job("a2", "anna", Resources.cores(2), new JobState.Completing())
                .job("a3", "anna", Resources.cores(2), new JobState.Unknown("XY"))
                .waits("b1", "bob", 2);

        assertThat(scene.plan().reclaims()).isEmpty();
    }

    @Test
    void two_users_within_quota_get_two_independent_reclaims() {
        final QuotaScenario scene = bobWaits(2).quota("cleo", 4).waits("c1", "cleo", 2);
        final List<Command> reclaims = scene.plan().reclaims();

        assertThat(reclaims).hasSize(2);
        assertThat(reclaims.stream().flatMap(command -> reclaim(command).victims().stream()))
                .containsExactly(scene.key("a4"), scene.key("a3"));
    }

    @Test
    void a_pending_reclaim_is_not_planned_again() {
        final QuotaScenario scene = bobWaits(2);
        scene.plan().reclaims().forEach(command -> scene.commands.apply(command, CommandView.NOT_YET_KNOWN));

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(scene.plan().vetoes()).isEmpty();
    }

    @Test
    void no_job_is_preempted_on_a_stale_or_silent_cluster_or_without_the_capability() {
        assertThat(vetoCode(bobWaits(2).stale("squeue did not answer within 10 s")))
                .isEqualTo(VetoCode.CLUSTER_STALE.code());
        assertThat(vetoCode(bobWaits(2).observed(NOON.minusSeconds(121)))).isEqualTo(VetoCode.AGENT_SILENT.code());
        assertThat(vetoCode(bobWaits(2).without(Capability.RECLAIM))).isEqualTo(VetoCode.PREEMPTION_UNSUPPORTED.code());
    }

    @Test
    void a_refused_stale_reclaim_is_planned_again_on_the_next_revision() {
        final QuotaScenario scene = bobWaits(2);
        final Command first = scene.plan().reclaims().getFirst();
        scene.commands.apply(first, 5);
        answer(scene, first, NOON.plusSeconds(1), new Result.Refused(Refusal.STALE, "a4 does not run"));

        assertThat(scene.plan(NOON.plusSeconds(2)).reclaims()).isEmpty();
        assertThat(vetoCode(scene)).isEqualTo(VetoCode.PREEMPTION_BACKOFF.code());

        scene.observed(NOON.plusSeconds(3));
        assertThat(scene.plan(NOON.plusSeconds(4)).reclaims())
                .extracting(Command::id)
                .containsExactly(Command.idOf(first.issuer(), first.action(), 1));
    }

    @Test
    void the_backoff_grows_with_each_failure() {
        final QuotaScenario scene = bobWaits(2);
        final Command first = scene.plan().reclaims().getFirst();
        scene.commands.apply(first, 5);
        answer(scene, first, NOON.plusSeconds(1), new Result.Failed("scontrol requeue: Job is pending"));
        scene.observed(NOON.plusSeconds(20));

        assertThat(scene.plan(NOON.plusSeconds(30)).reclaims()).isEmpty();
        assertThat(scene.plan(NOON.plusSeconds(30)).wakeAt()).contains(NOON.plusSeconds(31));
        final Command second = scene.plan(NOON.plusSeconds(31)).reclaims().getFirst();

        scene.commands.apply(second, 6);
        answer(scene, second, NOON.plusSeconds(32), new Result.Failed("scontrol requeue: Job is pending"));
        assertThat(scene.plan(NOON.plusSeconds(40)).wakeAt()).contains(NOON.plusSeconds(92));
    }

    @Test
    void cores_on_too_few_nodes_do_not_count() {
        final QuotaScenario scene = QuotaScenario.cluster(8)
                .quota("bob", 4)
                .node("n1", 4, 0)
                .node("n2", 4, 0)
                .runs("a1", "anna", 2, 40, "n1")
                .runs("a2", "anna", 2, 30, "n2")
                .runs("a3", "anna", 2, 20, "n1")
                .runs("a4", "anna", 2, 10, "n2")
                .waitsForNodes("b1", "bob", 4, 1);

        assertThat(victims(scene.plan())).containsExactlyInAnyOrder(scene.key("a4"), scene.key("a2"));
    }

    /** */
    @Test
    void no_job_is_preempted_if_no_node_would_have_enough_cores() {
        final QuotaScenario scene = QuotaScenario.cluster(8)
                .quota("anna", 4)
                .quota("bob", 4)
                .node("n1", 4, 0)
                .node("n2", 4, 0)
                .runs("a1", "anna", 2, 40, "n1")
                .runs("a2", "anna", 2, 30, "n2")
                .runs("c1", "cleo", 2, 20, "n1")
                .runs("d1", "dora", 2, 10, "n2")
                .quota("cleo", 2)
                .waitsForNodes("b1", "bob", 4, 1);

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(vetoCode(scene)).isEqualTo(VetoCode.PREEMPTION_INSUFFICIENT.code());
    }

    private static void answer(
            final QuotaScenario scene, final Command command, final Instant at, final Result result) {
        scene.commands.apply(command.outcome(result, at));
    }

    private static String vetoCode(final QuotaScenario scene) {
        final QuotaPlan plan = scene.plan();
        assertThat(plan.reclaims()).isEmpty();
        return plan.vetoes().get(scene.key("b1")).code();
    }

    private static Action.Reclaim onlyReclaim(final QuotaPlan plan) {
        assertThat(plan.reclaims()).hasSize(1);
        return reclaim(plan.reclaims().getFirst());
    }

    private static Action.Reclaim reclaim(final Command command) {
        return (Action.Reclaim) command.action();
    }

    private static List<JobKey> victims(final QuotaPlan plan) {
        return onlyReclaim(plan).victims();
    }

    // ---- limits on preemption and orders of victims

    /** */
    @Test
    void an_interactive_job_is_never_preempted() {
        final QuotaScenario scene = QuotaScenario.cluster(4).quota("anna", 4).quota("bob", 0);
        scene.runsInteractively("b", "bob", 4, 10).waits("a", "anna", 4);

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("a")).code()).isEqualTo(VetoCode.PREEMPTION_INSUFFICIENT.code());
    }

    /** */
    @Test
    void a_job_is_not_preempted_before_protected_run_but_counts_for_its_owner() {
        final QuotaScenario scene = QuotaScenario.cluster(8).quota("anna", 4).quota("bob", 4);
        scene.policy = scene.policy.with(new PreemptionLimits(
                Duration.ofMinutes(5),
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO));
        scene.runs("fresh", "bob", 4, 2).runs("old", "bob", 4, 30).waits("a", "anna", 4);

        assertThat(victims(scene)).as("newest first, but for what is protected").containsExactly(scene.key("old"));
    }

    /** */
    @Test
    void a_job_is_not_preempted_after_the_maximum_number_of_requeues() {
        final QuotaScenario scene = QuotaScenario.cluster(8).quota("anna", 4).quota("bob", 0);
        scene.policy = scene.policy.with(
                new PreemptionLimits(Duration.ZERO, 2, Integer.MAX_VALUE, Duration.ZERO, Duration.ZERO, Duration.ZERO));
        scene.runs("once", "bob", 4, 20).requeued(1).runs("twice", "bob", 4, 10).requeued(2);
        scene.waits("a", "anna", 4);

        assertThat(((Action.Reclaim) scene.plan().reclaims().getFirst().action()).victims())
                .as("not the newest")
                .containsExactly(scene.key("once"));
    }

    /** */
    @Test
    void a_large_job_has_a_longer_delay_than_a_small_one() {
        final QuotaScenario scene = QuotaScenario.cluster(8).quota("anna", 8).quota("bob", 0);
        scene.policy = scene.policy.with(new PreemptionLimits(
                Duration.ZERO,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                Duration.ofMinutes(10),
                Duration.ofHours(1),
                Duration.ofHours(4)));
        scene.runs("b1", "bob", 4, 60).runs("b2", "bob", 4, 60).waits("a", "anna", 2);
        final Instant submitted = scene.key("a").submittedAt();

        final QuotaPlan early = scene.plan();
        assertThat(early.reclaims()).isEmpty();
        assertThat(early.vetoes().get(scene.key("a")).code()).isEqualTo(VetoCode.PREEMPTION_DELAYED.code());
        assertThat(early.wakeAt()).contains(submitted.plus(Duration.ofMinutes(130)));
        scene.observed(submitted.plus(Duration.ofMinutes(131)));
        assertThat(scene.plan(submitted.plus(Duration.ofMinutes(131))).reclaims())
                .hasSize(1);
    }

    /** */
    @Test
    void the_limit_of_reclaims_per_hour_is_kept() {
        final QuotaScenario scene =
                QuotaScenario.cluster(8).quota("anna", 4).quota("cleo", 4).quota("bob", 0);
        scene.policy = scene.policy.with(
                new PreemptionLimits(Duration.ZERO, Integer.MAX_VALUE, 1, Duration.ZERO, Duration.ZERO, Duration.ZERO));
        scene.runs("b1", "bob", 4, 60)
                .runs("b2", "bob", 4, 50)
                .waits("a", "anna", 4)
                .waits("c", "cleo", 4);

        final QuotaPlan plan = scene.plan();
        assertThat(plan.reclaims()).hasSize(1);
        assertThat(plan.vetoes().get(scene.key("c")).code()).isEqualTo(VetoCode.PREEMPTION_LIMIT_REACHED.code());
    }

    @Test
    void least_loss_takes_the_fewest_core_seconds_and_smallest_sufficient_the_one_job_that_is_enough() {
        final QuotaScenario scene = QuotaScenario.cluster(20).quota("anna", 8).quota("bob", 0);
        scene.runs("long", "bob", 4, 100)
                .runs("wide", "bob", 8, 10)
                .runs("new", "bob", 5, 30)
                .runs("tiny", "bob", 3, 40)
                .waits("a", "anna", 4);

        assertThat(victims(scene.order(VictimOrder.LEAST_LOSS)))
                .as("80, 150 and 120 core-minutes: the wide one loses least")
                .containsExactly(scene.key("wide"));
        assertThat(victims(scene.order(VictimOrder.SMALLEST_SUFFICIENT_FIRST))).containsExactly(scene.key("long"));
    }

    private static List<JobKey> victims(final QuotaScenario scene) {
        return ((Action.Reclaim) scene.plan().reclaims().getFirst().action()).victims();
    }
}
