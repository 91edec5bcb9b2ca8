package io.millrace.quota.domain.reclaim;

import static io.millrace.quota.domain.QuotaScenario.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.IfLate;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Preemption.Mode;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.view.CommandView;
import io.millrace.quota.domain.QuotaPlan;
import io.millrace.quota.domain.QuotaPlanner;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.ReclaimDelay;
import io.millrace.quota.domain.preemption.ReclaimDelay.WaitingJob;
import io.millrace.quota.domain.preemption.VictimOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** in which way victims leave, when, and what becomes of them. */
class PreemptionTest {

    private static final CheckpointMethod SAVES =
            new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(10));

    /** Bob's job fills the cluster beyond his quota; anna waits within hers. */
    private static QuotaScenario bobRuns(final int minutes) {
        return QuotaScenario.cluster(64).quota("anna", 8).quota("bob", 0).runs("b", "bob", 64, minutes);
    }

    private static Preemption only(final QuotaScenario scene) {
        final List<Command> reclaims = scene.plan().reclaims();
        assertThat(reclaims).hasSize(1);
        final List<Preemption> ways = ((Action.Reclaim) reclaims.getFirst().action()).allPreemptions();
        assertThat(ways).hasSize(1);
        return ways.getFirst();
    }

    /** */
    @Test
    void a_long_run_is_saved_and_the_reason_says_what_that_saves() {
        final QuotaScenario scene =
                bobRuns(540).savedBy(SAVES).offering(Capability.CHECKPOINT).waits("a", "anna", 8);

        assertThat(only(scene))
                .isEqualTo(new Preemption(
                        scene.key("b"),
                        Mode.CHECKPOINT,
                        SAVES,
                        12 * 60 * 64,
                        "checkpointed: loses at most 12 min x 64 cores instead of 9 h"));
        assertThat(scene.plan().reclaims().getFirst().reason()).contains("b checkpointed: loses at most 12 min");
    }

    /** */
    @Test
    void a_run_that_has_done_less_than_saving_costs_is_put_back() {
        final QuotaScenario scene =
                bobRuns(5).savedBy(SAVES).offering(Capability.CHECKPOINT).waits("a", "anna", 8);

        assertThat(only(scene).mode()).isEqualTo(Mode.REQUEUE);
        assertThat(only(scene).reason())
                .isEqualTo("requeued: loses 5 min x 64 cores; a checkpoint would cost up to 12 min");
    }

    @Test
    void who_cannot_be_saved_is_told_why() {
        assertThat(only(bobRuns(540).waits("a", "anna", 8)).reason()).contains("the job has no checkpoint method");
        assertThat(only(bobRuns(540).savedBy(SAVES).waits("a", "anna", 8)).reason())
                .contains("the cluster does not support its checkpoint method (CHECKPOINT)");
        assertThat(only(bobRuns(540)
                                .savedBy(SAVES)
                                .offering(Capability.CHECKPOINT)
                                .modes(Mode.REQUEUE)
                                .waits("a", "anna", 8))
                        .reason())
                .contains("the site does not allow checkpoints");
    }

    @Test
    void each_method_asks_for_what_the_cluster_offers_of_it() {
        final var grace = Duration.ofMinutes(1);
        assertThat(only(bobRuns(540)
                                .savedBy(new CheckpointMethod.Criu(grace, IfLate.LEAVE))
                                .offering(Capability.CRIU_CHECKPOINT)
                                .waits("a", "anna", 8))
                        .mode())
                .isEqualTo(Mode.CHECKPOINT);
        assertThat(only(bobRuns(540)
                                .savedBy(new CheckpointMethod.Native(grace, IfLate.LEAVE))
                                .offering(Capability.CRIU_CHECKPOINT)
                                .waits("a", "anna", 8))
                        .mode())
                .isEqualTo(Mode.REQUEUE);
    }

    /** */
    @Test
    void nobody_is_suspended_unless_the_site_says_so_and_the_cluster_can() {
        final QuotaScenario usual = bobRuns(540).offering(Capability.SUSPEND).waits("a", "anna", 8);
        assertThat(only(usual).mode()).isEqualTo(Mode.REQUEUE);
        assertThat(only(usual.modes(Mode.REQUEUE, Mode.SUSPEND)).mode())
                .as("loses nothing, whatever the order")
                .isEqualTo(Mode.SUSPEND);
        assertThat(only(bobRuns(540).modes(Mode.REQUEUE, Mode.SUSPEND).waits("a", "anna", 8))
                        .mode())
                .isEqualTo(Mode.REQUEUE);
    }

    /** */
    @Test
    void of_two_ways_that_lose_the_same_the_first_is_taken() {
        final QuotaScenario fresh = bobRuns(0).offering(Capability.SUSPEND).waits("a", "anna", 8);

        assertThat(only(fresh.modes(Mode.REQUEUE, Mode.SUSPEND)).mode()).isEqualTo(Mode.REQUEUE);
        assertThat(only(fresh.modes(Mode.SUSPEND, Mode.REQUEUE)).mode()).isEqualTo(Mode.SUSPEND);
    }

    /** */
    @Test
    void gpus_are_not_freed_by_a_suspension() {
        final Resources node = new Resources(64, 1, 0, 4);
        final QuotaScenario scene = QuotaScenario.cluster(64)
                .quota("anna", 8)
                .quota("bob", 0)
                .node("n1", node, new Resources(32, 1, 0, 0))
                .runs("b", "bob", 32, 60, "n1")
                .with(4, 0)
                .offering(Capability.SUSPEND)
                .modes(Mode.SUSPEND, Mode.REQUEUE)
                .waits("a", "anna", 8)
                .with(2, 0);

        assertThat(only(scene).mode()).isEqualTo(Mode.REQUEUE);
    }

    @Test
    void gpus_are_not_freed_by_a_suspension_either_where_no_node_is_known() {
        final QuotaScenario scene = bobRuns(60)
                .with(4, 0)
                .offering(Capability.SUSPEND)
                .modes(Mode.SUSPEND, Mode.REQUEUE)
                .waits("a", "anna", 8);

        assertThat(only(scene).mode()).isEqualTo(Mode.SUSPEND);
        assertThat(only(scene.with(2, 0)).mode()).isEqualTo(Mode.REQUEUE);
    }

    /** */
    @Test
    void who_needs_the_memory_of_a_victim_has_it_put_back() {
        final QuotaScenario scene = QuotaScenario.cluster(64)
                .quota("anna", 64)
                .quota("bob", 0)
                .node("n1", new Resources(64, 1, 1000, 0), new Resources(0, 1, 100, 0))
                .runs("b", "bob", 64, 60, "n1")
                .with(0, 900)
                .offering(Capability.SUSPEND)
                .modes(Mode.SUSPEND, Mode.REQUEUE)
                .waits("a", "anna", 8);

        assertThat(only(scene.with(0, 50)).mode()).isEqualTo(Mode.SUSPEND);
        assertThat(only(scene.with(0, 500)).mode()).isEqualTo(Mode.REQUEUE);
    }

    /** */
    @Test
    void who_may_not_be_put_back_is_never_taken() {
        final QuotaScenario scene = bobRuns(60).notRerunnable().waits("a", "anna", 8);

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("a")).code()).isEqualTo(VetoCode.PREEMPTION_INSUFFICIENT.code());
        assertThat(only(scene.offering(Capability.SUSPEND).modes(Mode.SUSPEND, Mode.REQUEUE))
                        .mode())
                .as("but suspended")
                .isEqualTo(Mode.SUSPEND);
    }

    @Test
    void least_loss_counts_what_is_lost_by_the_way_that_is_taken() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("anna", 8)
                .quota("bob", 0)
                .offering(Capability.CHECKPOINT)
                .order(VictimOrder.LEAST_LOSS)
                .runs("short", "bob", 8, 60)
                .runs("long", "bob", 8, 600)
                .savedBy(SAVES)
                .waits("a", "anna", 8);

        assertThat(only(scene).victim()).isEqualTo(scene.key("long"));
    }

    /** */
    @Test
    void a_reclaim_is_valid_for_as_long_as_its_victims_may_take_to_be_saved() {
        final QuotaScenario scene =
                bobRuns(540).savedBy(SAVES).offering(Capability.CHECKPOINT).waits("a", "anna", 8);

        assertThat(scene.plan().reclaims().getFirst().validUntil()).isEqualTo(NOON.plus(Duration.ofMinutes(12)));
    }

    /** */
    @Test
    void what_waits_for_another_job_takes_nothing_from_anybody() {
        final QuotaScenario scene = bobRuns(60).waits("a", "anna", 8).after("afterok:12");

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(scene.plan().vetoes()).isEmpty();
    }

    /** */
    @Test
    void idle_cores_on_which_one_job_will_start_are_not_counted_for_the_next() {
        final QuotaScenario scene = QuotaScenario.cluster(12)
                .quota("anna", 4)
                .quota("cleo", 6)
                .quota("bob", 0)
                .runs("b1", "bob", 2, 50)
                .runs("b2", "bob", 6, 60)
                .waits("a", "anna", 4)
                .waits("c", "cleo", 6);

        final QuotaPlan plan = scene.plan();
        final Action.Reclaim reclaim =
                (Action.Reclaim) plan.reclaims().getFirst().action();
        assertThat(reclaim.beneficiary()).isEqualTo(scene.key("c"));
        assertThat(reclaim.victims())
                .as("not the small one, which is enough only with the cores that a starts on")
                .containsExactly(scene.key("b2"));
    }

    /** */
    @Test
    void the_first_row_of_delays_that_is_for_a_job_says_when_others_give_way() {
        final PreemptionLimits restraint = new PreemptionLimits(Duration.ZERO, 9, 9, List.of())
                .withDelaysFirst(List.of(
                        row(0, null, "urgent", 0, 0),
                        row(0, "long", null, 0, 60),
                        row(100, null, null, 0, 30),
                        row(0, null, null, 20, 0),
                        row(0, null, null, 0, 45)));

        assertThat(minutes(restraint, new WaitingJob(500, List.of("long"), "urgent")))
                .isZero();
        assertThat(minutes(restraint, new WaitingJob(500, List.of("wide", "long"), null)))
                .isEqualTo(60);
        assertThat(minutes(restraint, new WaitingJob(500, List.of(), "normal"))).isEqualTo(30);
        assertThat(minutes(restraint, new WaitingJob(4, List.of(), null)))
                .as("45 minutes, but from 20 minutes on the row for those who wait")
                .isEqualTo(20);
        assertThat(minutes(PreemptionLimits.NONE, new WaitingJob(4, List.of(), null)))
                .isZero();
    }

    private static ReclaimDelay row(
            final int cores, final String ofClass, final String urgency, final int waited, final int delay) {
        return new ReclaimDelay(
                cores,
                Integer.MAX_VALUE,
                Duration.ofMinutes(waited),
                ofClass,
                urgency,
                Duration.ofMinutes(delay),
                Duration.ZERO,
                Duration.ofDays(1));
    }

    private static long minutes(final PreemptionLimits restraint, final WaitingJob job) {
        return Duration.between(Instant.EPOCH, restraint.reclaimAllowedFrom(Instant.EPOCH, job))
                .toMinutes();
    }

    private static List<PlacementOffered> offers(final QuotaScenario scene, final String owner, final int cores) {
        final JobSpec spec = new JobSpec(
                "mesh",
                "#!/bin/sh",
                null,
                Resources.cores(cores),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None());
        final JobSubmitted job = new JobSubmitted(
                GlobalJobId.of("01J00000000000000000000000"),
                UserName.of(owner),
                spec,
                QuotaScenario.ALPHA,
                "/home/" + owner,
                null,
                NOON,
                "signed");
        return QuotaPlanner.plan(scene.quotaView().withUnplaced(List.of(job)), scene.policy, NOON)
                .offers();
    }

    /** */
    @Test
    void a_global_job_is_told_what_room_for_it_would_cost_and_nobody_is_taken_for_it() {
        final List<PlacementOffered> offers = offers(bobRuns(10), "anna", 8);

        assertThat(offers).hasSize(1);
        assertThat(offers.getFirst().victims()).isEqualTo(1);
        assertThat(offers.getFirst().lostCoreSeconds()).isEqualTo(64 * 600);
        assertThat(offers.getFirst().reason()).contains("anna is within quota 8");
        assertThat(bobRuns(10).plan().reclaims()).isEmpty();
    }

    /** */
    @Test
    void no_room_is_offered_to_who_is_beyond_quota_or_fits_or_where_nobody_can_give_way() {
        assertThat(offers(bobRuns(10), "anna", 9)).as("beyond quota").isEmpty();
        assertThat(offers(QuotaScenario.cluster(64).quota("anna", 8), "anna", 8))
                .as("it fits")
                .isEmpty();
        assertThat(offers(bobRuns(10).quota("bob", 64), "anna", 8))
                .as("bob is within his")
                .isEmpty();
        assertThat(offers(bobRuns(10).without(Capability.RECLAIM), "anna", 8)).isEmpty();
        assertThat(offers(bobRuns(10).waits("a", "anna", 8), "anna", 8))
                .as("her own job here comes first, and fills her quota")
                .isEmpty();
    }

    @Test
    void the_quota_of_all_clusters_is_what_counts_where_there_is_one() {
        final QuotaScenario scene = QuotaScenario.cluster(64)
                .quotaEverywhere("anna", 8)
                .quota("bob", 0)
                .runs("b", "bob", 64, 10);
        assertThat(offers(scene, "anna", 8)).hasSize(1);
        assertThat(offers(scene.usesElsewhere("beta", "anna", 4), "anna", 8)).isEmpty();
    }

    /** Bob's job stands suspended on its node, by us. */
    private static QuotaScenario suspended(final int free) {
        return QuotaScenario.cluster(16)
                .quota("anna", 8)
                .quota("bob", 0)
                .offering(Capability.SUSPEND)
                .node("n1", 8, free)
                .node("n2", 8, 0)
                .runs("x", "bob", 16 - free, 60)
                .job(
                        "b",
                        "bob",
                        Resources.cores(8),
                        new JobState.Suspended(NOON.minusSeconds(600), List.of(NodeName.of("n1"))));
    }

    private static List<Command> resumptions(final QuotaScenario scene, final Set<JobKey> setAside) {
        return QuotaPlanner.plan(scene.quotaView().withSuspendedVictims(setAside), scene.policy, NOON)
                .resumptions();
    }

    /** */
    @Test
    void who_was_suspended_goes_on_when_the_cores_on_its_nodes_are_idle() {
        final QuotaScenario scene = suspended(8);
        final List<Command> resumptions = resumptions(scene, Set.of(scene.key("b")));

        assertThat(resumptions).hasSize(1);
        assertThat(resumptions.getFirst().action()).isEqualTo(new Action.Resume(scene.key("b")));
        assertThat(resumptions.getFirst().issuer()).isEqualTo(Issuer.QUOTA);
        assertThat(resumptions.getFirst().preconditions()).containsExactly(new Precondition.IdleCores(8));

        resumptions.forEach(command -> scene.commands.apply(command, CommandView.NOT_YET_KNOWN));
        assertThat(resumptions(scene, Set.of(scene.key("b")))).as("once").isEmpty();
    }

    /** */
    @Test
    void who_was_suspended_stands_while_its_cores_are_taken_or_promised_and_so_does_who_was_by_somebody_else() {
        final QuotaScenario scene = suspended(8);
        assertThat(resumptions(scene, Set.of())).as("by somebody else").isEmpty();
        assertThat(resumptions(suspended(4), Set.of(scene.key("b")))).isEmpty();
        scene.waits("a", "anna", 4);
        assertThat(resumptions(scene, Set.of(scene.key("b"))))
                .as("anna is within quota and will start on them")
                .isEmpty();
    }
}
