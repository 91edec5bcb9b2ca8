package io.millrace.quota.domain.reclaim;

import static io.millrace.quota.domain.QuotaScenario.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.CommandView;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTimeoutAction;
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
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.plan.QuotaPlanner;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.ReclaimDelay;
import io.millrace.quota.domain.preemption.ReclaimDelay.WaitingJob;
import io.millrace.quota.domain.preemption.VictimOrder;
import io.millrace.quota.domain.view.UnplacedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** preemption modes, delays and suspended victims. */
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
    void a_long_run_is_checkpointed_and_the_reason_has_the_loss() {
        final QuotaScenario scene = bobRuns(540)
                .checkpointedBy(SAVES)
                .offering(Capability.CHECKPOINT)
                .waits("a", "anna", 8);

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
    void a_run_shorter_than_the_cost_of_a_checkpoint_is_requeued() {
        final QuotaScenario scene =
                bobRuns(5).checkpointedBy(SAVES).offering(Capability.CHECKPOINT).waits("a", "anna", 8);

        assertThat(only(scene).mode()).isEqualTo(Mode.REQUEUE);
        assertThat(only(scene).reason())
                .isEqualTo("requeued: loses 5 min x 64 cores; a checkpoint would cost up to 12 min");
    }

    @Test
    void a_requeue_names_why_no_checkpoint_was_taken() {
        assertThat(only(bobRuns(540).waits("a", "anna", 8)).reason()).contains("the job has no checkpoint method");
        assertThat(only(bobRuns(540).checkpointedBy(SAVES).waits("a", "anna", 8))
                        .reason())
                .contains("the cluster does not support its checkpoint method (CHECKPOINT)");
        assertThat(only(bobRuns(540)
                                .checkpointedBy(SAVES)
                                .offering(Capability.CHECKPOINT)
                                .modes(Mode.REQUEUE)
                                .waits("a", "anna", 8))
                        .reason())
                .contains("the site does not allow checkpoints");
    }

    @Test
    void each_checkpoint_method_requires_its_capability() {
        final var grace = Duration.ofMinutes(1);
        assertThat(only(bobRuns(540)
                                .checkpointedBy(new CheckpointMethod.Native(grace, CheckpointTimeoutAction.LEAVE))
                                .offering(Capability.NATIVE_CHECKPOINT)
                                .waits("a", "anna", 8))
                        .mode())
                .isEqualTo(Mode.CHECKPOINT);
        assertThat(only(bobRuns(540)
                                .checkpointedBy(new CheckpointMethod.Native(grace, CheckpointTimeoutAction.LEAVE))
                                .offering(Capability.CHECKPOINT)
                                .waits("a", "anna", 8))
                        .mode())
                .isEqualTo(Mode.REQUEUE);
    }

    /** */
    @Test
    void a_job_is_suspended_only_if_the_site_allows_and_the_cluster_supports_it() {
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
    void with_equal_losses_the_first_mode_is_used() {
        final QuotaScenario fresh = bobRuns(0).offering(Capability.SUSPEND).waits("a", "anna", 8);

        assertThat(only(fresh.modes(Mode.REQUEUE, Mode.SUSPEND)).mode()).isEqualTo(Mode.REQUEUE);
        assertThat(only(fresh.modes(Mode.SUSPEND, Mode.REQUEUE)).mode()).isEqualTo(Mode.SUSPEND);
    }

    /** */
    @Test
    void a_suspension_frees_no_gpus() {
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
    void a_suspension_frees_no_gpus_also_without_known_nodes() {
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
    void a_beneficiary_that_needs_memory_has_its_victim_requeued() {
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
    void a_job_that_must_not_be_requeued_is_never_preempted() {
        final QuotaScenario scene = bobRuns(60).notRerunnable().waits("a", "anna", 8);

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("a")).code()).isEqualTo(VetoCode.PREEMPTION_INSUFFICIENT.code());
        assertThat(only(scene.offering(Capability.SUSPEND).modes(Mode.SUSPEND, Mode.REQUEUE))
                        .mode())
                .as("but suspended")
                .isEqualTo(Mode.SUSPEND);
    }

    @Test
    void least_loss_uses_the_loss_of_the_chosen_mode() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("anna", 8)
                .quota("bob", 0)
                .offering(Capability.CHECKPOINT)
                .order(VictimOrder.LEAST_LOSS)
                .runs("short", "bob", 8, 60)
                .runs("long", "bob", 8, 600)
                .checkpointedBy(SAVES)
                .waits("a", "anna", 8);

        assertThat(only(scene).victim()).isEqualTo(scene.key("long"));
    }

    /** */
    @Test
    void a_reclaim_is_valid_for_the_longest_grace_time_of_its_victims() {
        final QuotaScenario scene = bobRuns(540)
                .checkpointedBy(SAVES)
                .offering(Capability.CHECKPOINT)
                .waits("a", "anna", 8);

        assertThat(scene.plan().reclaims().getFirst().validUntil()).isEqualTo(NOON.plus(Duration.ofMinutes(12)));
    }

    /** */
    @Test
    void no_job_is_preempted_for_a_job_with_a_dependency() {
        final QuotaScenario scene = bobRuns(60).waits("a", "anna", 8).after("afterok:12");

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(scene.plan().vetoes()).isEmpty();
    }

    /** */
    @Test
    void reserved_idle_cores_are_not_counted_for_the_next_job() {
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
    void the_first_matching_row_of_delays_applies() {
        final PreemptionLimits restraint = new PreemptionLimits(
                Duration.ZERO,
                9,
                9,
                List.of(
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
                new CheckpointMethod.None(),
                false);
        final JobSubmitted job = new JobSubmitted(
                GlobalJobId.of("01J00000000000000000000000"),
                1,
                UserName.of(owner),
                spec,
                QuotaScenario.ALPHA,
                "/home/" + owner,
                null,
                NOON,
                "signed");
        return QuotaPlanner.plan(scene.quotaView().withUnplaced(List.of(UnplacedJob.of(job))), scene.policy, NOON)
                .offers();
    }

    /** */
    @Test
    void a_global_job_gets_an_offer_and_no_job_is_preempted_for_it() {
        final List<PlacementOffered> offers = offers(bobRuns(10), "anna", 8);

        assertThat(offers).hasSize(1);
        assertThat(offers.getFirst().victims()).isEqualTo(1);
        assertThat(offers.getFirst().lostCoreSeconds()).isEqualTo(64 * 600);
        assertThat(offers.getFirst().reason()).contains("anna is within quota 8");
        assertThat(bobRuns(10).plan().reclaims()).isEmpty();
    }

    /** */
    @Test
    void there_is_no_offer_beyond_quota_or_if_the_job_fits_or_without_victims() {
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
    void offers_respect_a_quota_of_all_clusters() {
        final QuotaScenario scene = QuotaScenario.cluster(64)
                .quotaEverywhere("anna", 8)
                .quota("bob", 0)
                .runs("b", "bob", 64, 10);
        assertThat(offers(scene, "anna", 8)).hasSize(1);
        assertThat(offers(scene.usesElsewhere("beta", "anna", 4), "anna", 8)).isEmpty();
    }

    /** Millrace has suspended bob's job on its node. */
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
    void a_suspended_victim_resumes_when_the_cores_on_its_nodes_are_idle() {
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
    void a_suspended_job_is_not_resumed_while_its_cores_are_used_or_if_someone_else_suspended_it() {
        final QuotaScenario scene = suspended(8);
        assertThat(resumptions(scene, Set.of())).as("by somebody else").isEmpty();
        assertThat(resumptions(suspended(4), Set.of(scene.key("b")))).isEmpty();
        scene.waits("a", "anna", 4);
        assertThat(resumptions(scene, Set.of(scene.key("b"))))
                .as("anna is within quota and will start on them")
                .isEmpty();
    }
}
