package io.millrace.quota.domain;

import static io.millrace.quota.domain.QuotaScenario.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.CommandView;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.quota.Quota;
import io.millrace.quota.domain.priority.PriorityView;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** commands to a workload manager that enforces quotas by itself. */
class LocalEnforcementTest {

    private static final UserName ANNA = UserName.of("anna");

    private final LocalEnforcement orders = new LocalEnforcement();
    private final QuotaScenario scene = QuotaScenario.cluster(16).quota("anna", 8);

    private List<Command> next(final Instant now) {
        final List<Command> told = orders.commands(scene.quotaView(), scene.plan(now), scene.policy, now);
        told.forEach(command -> scene.commands.apply(command, CommandView.NOT_YET_KNOWN));
        return told;
    }

    private void answer(final Command command, final Result result) {
        scene.commands.apply(command.outcome(result, NOON));
    }

    private void queued(final String job, final String owner, final int cores) {
        scene.job(job, owner, Resources.cores(cores), new JobState.Queued());
    }

    /** */
    @Test
    void each_users_limit_and_each_waiting_jobs_tier_are_sent_once() {
        scene.nativeWith(Capability.TIER, Capability.LIMIT);
        queued("a1", "anna", 8);
        queued("a2", "anna", 4);

        final List<Command> told = next(NOON);

        assertThat(told)
                .extracting(Command::action)
                .containsExactlyInAnyOrder(
                        new Action.SetLimit(ANNA, 8),
                        new Action.SetTier(scene.key("a1"), Tier.GUARANTEED),
                        new Action.SetTier(scene.key("a2"), Tier.BORROWED));
        assertThat(next(NOON)).as("they are under way").isEmpty();
        told.forEach(command -> answer(command, new Result.Done(null, "done")));
        assertThat(next(NOON)).as("they are done").isEmpty();
    }

    /** */
    /** */
    @Test
    void only_a_job_whose_reported_tier_differs_gets_a_command_even_if_it_runs() {
        scene.nativeWith(Capability.TIER);
        queued("a1", "anna", 8);
        scene.job("a2", "anna", Resources.cores(4), new JobState.Running(NOON, List.of()));
        scene.inTier("a1", wanted("a1")).inTier("a2", wanted("a2"));

        assertThat(next(NOON)).as("both have their tiers").isEmpty();

        final Tier wanted = wanted("a2");
        scene.inTier("a2", wanted == Tier.BORROWED ? Tier.GUARANTEED : Tier.BORROWED);
        assertThat(next(NOON)).extracting(Command::action).containsExactly(new Action.SetTier(scene.key("a2"), wanted));

        scene.inTier("a2", null);
        assertThat(new LocalEnforcement().commands(scene.quotaView(), scene.plan(NOON), scene.policy, NOON))
                .as("no tier is reported")
                .isEmpty();
    }

    /** The tier that the entitlement of the job requires. */
    private Tier wanted(final String job) {
        return scene.plan(NOON).entitlements().get(scene.key(job)).level() == EntitlementLevel.GUARANTEED
                ? Tier.GUARANTEED
                : Tier.BORROWED;
    }

    private void opens(final String... partitions) {
        scene.priority = PriorityView.of(
                PriorityRules.NONE.withOverflow(List.of(new PartitionOverflow(null, null, 0, names(partitions)))),
                job -> List.of(),
                List.of());
    }

    private static List<PartitionName> names(final String... partitions) {
        return java.util.Arrays.stream(partitions).map(PartitionName::of).toList();
    }

    @Test
    void reachable_partitions_are_added_to_the_choice_of_a_waiting_job() {
        scene.partitions("main", "fast", "span").nativeWith(Capability.PARTITION_CHOICE);
        opens("fast", "span");
        queued("a1", "anna", 4);
        queued("a2", "anna", 4);
        scene.choosingPartitions("main", "span");

        final List<Command> told = next(NOON);
        assertThat(told)
                .extracting(Command::action)
                .containsExactlyInAnyOrder(
                        new Action.SetPartitions(scene.key("a1"), names("main", "fast", "span")),
                        new Action.SetPartitions(scene.key("a2"), names("main", "span", "fast")));
        told.forEach(command -> answer(command, new Result.Done(null, "done")));
        assertThat(next(NOON)).as("done, though it does not show yet").isEmpty();

        scene.choosingPartitions("main", "span", "fast");
        final LocalEnforcement afterRestart = new LocalEnforcement();
        assertThat(afterRestart.commands(scene.quotaView(), scene.plan(NOON), scene.policy, NOON))
                .extracting(Command::action)
                .as("what shows is not told again")
                .containsExactly(new Action.SetPartitions(scene.key("a1"), names("main", "fast", "span")));
    }

    @Test
    void no_choice_is_sent_to_directed_clusters_or_without_the_capability() {
        opens("fast");
        scene.partitions("main", "fast");
        queued("a1", "anna", 4);
        assertThat(next(NOON)).isEmpty();

        scene.nativeWith(Capability.PARTITION_CHOICE).directed();
        assertThat(next(NOON)).isEmpty();
    }

    @Test
    void changes_are_sent_again_and_the_limit_of_a_removed_quota_is_removed() {
        scene.nativeWith(Capability.LIMIT);
        next(NOON).forEach(command -> answer(command, new Result.Done(null, "done")));

        scene.quota("anna", 12);
        final List<Command> more = next(NOON);
        assertThat(more).extracting(Command::action).containsExactly(new Action.SetLimit(ANNA, 12));
        more.forEach(command -> answer(command, new Result.Done(null, "done")));

        scene.quotas.remove(Quota.keyOf(io.millrace.model.quota.QuotaHolder.of(ANNA), QuotaScenario.ALPHA));
        assertThat(next(NOON)).extracting(Command::action).containsExactly(new Action.SetLimit(ANNA, null));
    }

    /** */
    @Test
    void under_directed_control_limits_are_removed_with_retries() {
        scene.nativeWith(Capability.LIMIT);
        next(NOON).forEach(command -> answer(command, new Result.Done(null, "done")));

        scene.directed();
        final List<Command> back = next(NOON);
        assertThat(back).extracting(Command::action).containsExactly(new Action.SetLimit(ANNA, null));
        assertThat(next(NOON)).as("it is under way").isEmpty();
        back.forEach(command -> answer(command, new Result.Failed("slurmdbd is away")));
        final List<Command> again = next(NOON.plusSeconds(31));
        assertThat(again).hasSize(1);
        again.forEach(command -> answer(command, new Result.Done(null, "done")));
        assertThat(next(NOON.plusSeconds(60))).as("it is done").isEmpty();
    }

    @Test
    void a_failed_command_is_sent_again_after_its_backoff() {
        scene.nativeWith(Capability.LIMIT);
        next(NOON).forEach(command -> answer(command, new Result.Failed("slurmdbd is away")));

        assertThat(next(NOON.plusSeconds(1))).isEmpty();
        assertThat(next(NOON.plusSeconds(31))).hasSize(1);
    }

    /** */
    @Test
    void nothing_is_sent_to_directed_stale_or_incapable_clusters() {
        queued("a1", "anna", 8);
        assertThat(next(NOON)).as("directed").isEmpty();
        scene.nativeWith();
        assertThat(next(NOON)).as("no capability").isEmpty();
        scene.nativeWith(Capability.TIER, Capability.LIMIT).stale("no answer");
        assertThat(next(NOON)).as("stale").isEmpty();
    }

    @Test
    void many_commands_are_sent_in_portions() {
        scene.nativeWith(Capability.TIER);
        for (int i = 0; i < 50; i++) {
            queued("a" + i, "anna", 1);
        }
        assertThat(next(NOON)).hasSize(32);
        assertThat(next(NOON)).isEmpty();
    }

    /** */
    @Test
    void no_reclaim_is_planned_if_the_scheduler_preempts_by_itself() {
        scene.nativeWith(Capability.TIER, Capability.LIMIT).runs("b1", "bob", 16, 30);
        queued("a1", "anna", 8);

        assertThat(scene.plan().reclaims()).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("a1")).code())
                .isEqualTo(VetoCode.ENFORCED_BY_WORKLOAD_MANAGER.code());
    }
}
