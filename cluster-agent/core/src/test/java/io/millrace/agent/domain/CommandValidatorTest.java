package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.AT_THE_GATE;
import static io.millrace.agent.domain.TestJobs.CLUSTER;
import static io.millrace.agent.domain.TestJobs.NOON;
import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.interactive;
import static io.millrace.agent.domain.TestJobs.job;
import static io.millrace.agent.domain.TestJobs.key;
import static io.millrace.agent.domain.TestJobs.live;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.action.AgentAction;
import io.millrace.agent.action.CommandValidator;
import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.PartitionName;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommandValidatorTest {

    private static final AttemptId ATTEMPT =
            GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1);

    private final CommandValidator validator = new CommandValidator(EnumSet.allOf(Capability.class));

    private static Command command(final Issuer issuer, final Action action, final Precondition... preconditions) {
        return new Command(
                Command.idOf(issuer, action, 0),
                CLUSTER,
                issuer,
                1,
                NOON,
                NOON.plusSeconds(60),
                List.of(preconditions),
                action,
                "test");
    }

    private Optional<Result.Refused> validated(final Issuer issuer, final Action action) {
        return validator.validateStatic(command(issuer, action), NOON);
    }

    private Optional<Result.Refused> validatedOn(
            final LiveCluster live, final int claimed, final Action action, final Precondition... preconditions) {
        return validator.validateLive(
                command(Issuer.BACKFILL, action, preconditions), live, claimed, Set.of(ATTEMPT)::contains);
    }

    private static void accepted(final Optional<Result.Refused> refusal) {
        assertThat(refusal).isEmpty();
    }

    private static void refused(final Optional<Result.Refused> refusal, final Refusal code, final String reason) {
        assertThat(refusal).hasValueSatisfying(refused -> {
            assertThat(refused.refusal()).isEqualTo(code);
            assertThat(refused.reason()).contains(reason);
        });
    }

    @Test
    void a_command_is_good_until_its_last_instant_and_no_longer() {
        final Command command = command(Issuer.BACKFILL, new Action.Start(key(1)));
        accepted(validator.validateStatic(command, NOON.plusSeconds(60)));
        refused(validator.validateStatic(command, NOON.plusMillis(60_001)), Refusal.EXPIRED, "command expired at");
    }

    @Test
    void each_service_orders_only_its_own() {
        final Map<Issuer, List<Action>> mays = Map.of(
                Issuer.QUOTA, List.of(new Action.Reclaim(List.of(key(1)), key(2))),
                Issuer.BACKFILL,
                        List.of(
                                new Action.Start(key(1)),
                                new Action.Requeue(key(1)),
                                new Action.Checkpoint(
                                        key(1),
                                        new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(1)))),
                Issuer.MIGRATION, List.of(new Action.Release(key(1)), new Action.Hold(key(1))),
                Issuer.TRANSFER,
                        List.of(
                                new Action.StopCopy(TransferId.of("a/upload")),
                                new Action.RemoveCopy(ATTEMPT, UserName.of("anna"), "/staging/anna/" + ATTEMPT, "")));
        mays.forEach((owner, actions) -> actions.forEach(action -> {
            for (final Issuer issuer : Issuer.values()) {
                if (issuer == owner) {
                    accepted(validated(issuer, action));
                } else {
                    refused(
                            validated(issuer, action),
                            Refusal.NOT_PERMITTED,
                            issuer + " may not issue '" + action.name() + "'");
                }
            }
        }));
        for (final Issuer issuer : Issuer.values()) {
            final Optional<Result.Refused> cancel = validated(issuer, new Action.Cancel(key(1)));
            if (issuer == Issuer.MIGRATION || issuer == Issuer.QUOTA) {
                accepted(cancel); // a stop; a spent budget
            } else {
                refused(cancel, Refusal.NOT_PERMITTED, "cancel");
            }
            refused(validated(issuer, new Action.Signal(key(1), "USR1")), Refusal.NOT_PERMITTED, "signal");
        }
    }

    @Test
    void what_the_installation_withholds_is_refused_with_its_own_sentence() {
        final String because = "AccountingStorageEnforce lacks 'qos'; add it in slurm.conf and restart slurmctld";
        final CommandValidator careful = new CommandValidator(
                () -> EnumSet.complementOf(EnumSet.of(Capability.TIER)),
                missing -> missing == Capability.TIER ? Optional.of(because) : Optional.empty());
        assertThat(careful.validateStatic(command(Issuer.QUOTA, new Action.SetTier(key(1), Tier.BORROWED)), NOON))
                .contains(new Result.Refused(Refusal.UNSUPPORTED, because));
        accepted(careful.validateStatic(
                command(Issuer.QUOTA, new Action.SetLimit(io.millrace.model.UserName.of("anna"), 4)), NOON));
    }

    @Test
    void what_the_workload_manager_cannot_do_is_unsupported() {
        final CommandValidator modest = new CommandValidator(EnumSet.of(Capability.START));
        refused(
                modest.validateStatic(command(Issuer.BACKFILL, new Action.Requeue(key(1))), NOON),
                Refusal.UNSUPPORTED,
                "'requeue' needs REQUEUE");
        accepted(modest.validateStatic(command(Issuer.BACKFILL, new Action.Start(key(1))), NOON));
        refused(
                modest.validateStatic(
                        command(Issuer.BACKFILL, new Action.Start(key(1), PartitionName.of("fast"))), NOON),
                Refusal.UNSUPPORTED,
                "'start' needs MOVE");
        refused(
                modest.validateStatic(
                        command(
                                Issuer.QUOTA,
                                new Action.SetPartitions(
                                        key(1), List.of(PartitionName.of("main"), PartitionName.of("fast")))),
                        NOON),
                Refusal.UNSUPPORTED,
                "'set-partitions' needs PARTITION_CHOICE");
        refused(
                modest.validateStatic(
                        command(Issuer.SUBMIT, new Action.SetPartitions(key(1), List.of(PartitionName.of("fast")))),
                        NOON),
                Refusal.UNSUPPORTED,
                "'set-partitions' needs ALTER");
    }

    @Test
    void a_start_needs_a_job_with_an_entry_hold_and_unclaimed_idle_cores() {
        accepted(validatedOn(live(4, job(1, "anna", 4, AT_THE_GATE)), 0, new Action.Start(key(1))));
        accepted(validatedOn(live(4, job(1, "anna", 4, new JobState.Queued())), 0, new Action.Start(key(1))));
        refused(
                validatedOn(live(3, job(1, "anna", 4, AT_THE_GATE)), 0, new Action.Start(key(1))),
                Refusal.STALE,
                "3 cores are idle");
        refused(
                validatedOn(live(4, job(1, "anna", 4, AT_THE_GATE)), 1, new Action.Start(key(1))),
                Refusal.STALE,
                "of which a running reclaim claims 1");
        refused(validatedOn(live(4), 0, new Action.Start(key(1))), Refusal.STALE, "not in the queue");
        refused(
                validatedOn(live(4, job(1, "anna", 1, RUNNING)), 0, new Action.Start(key(1))),
                Refusal.STALE,
                "not pending");
        refused(
                validatedOn(
                        live(Control.NATIVE, 4, job(1, "anna", 1, AT_THE_GATE)),
                        0,
                        new Action.Start(key(1), PartitionName.of("fast"))),
                Refusal.STALE,
                "native control");
    }

    @Test
    void a_job_held_by_its_owner_or_an_operator_is_not_started() {
        for (final HoldKind hold : List.of(HoldKind.USER, HoldKind.OPERATOR, HoldKind.SUBMISSION)) {
            final LiveCluster live = live(8, job(1, "anna", 1, new JobState.Held(hold)));
            assertThat(validatedOn(live, 0, new Action.Start(key(1)))).isPresent();
            assertThat(validatedOn(live, 0, new Action.Start(key(1)), new Precondition.JobWaits(key(1))))
                    .isPresent();
        }
        accepted(validatedOn(
                live(8, job(1, "anna", 1, new JobState.Held(HoldKind.SUBMISSION))), 0, new Action.Release(key(1))));
        refused(
                validatedOn(live(8, job(1, "anna", 1, AT_THE_GATE)), 0, new Action.Release(key(1))),
                Refusal.STALE,
                "no submission hold");
        refused(
                validatedOn(
                        live(8, job(1, "anna", 1, new JobState.Held(HoldKind.USER))), 0, new Action.Release(key(1))),
                Refusal.STALE,
                "no submission hold");
    }

    @Test
    void a_release_may_ask_that_the_job_waits_for_millrace_alone() {
        final Precondition waits = new Precondition.JobWaits(key(1));
        final LiveCluster handedIn = live(8, job(1, "anna", 1, new JobState.Held(HoldKind.SUBMISSION)));
        accepted(validatedOn(handedIn, 0, new Action.Release(key(1)), waits));
        refused(validatedOn(handedIn, 0, new Action.Start(key(1)), waits), Refusal.STALE, "not released yet");
    }

    @Test
    void preconditions_are_checked_one_by_one() {
        final LiveCluster live =
                live(2, job(1, "anna", 3, RUNNING), job(2, "anna", 1, RUNNING), job(3, "bob", 1, AT_THE_GATE));
        final Action action = new Action.Cancel(key(3));
        accepted(validatedOn(live, 0, action, new Precondition.OwnerUses(UserName.of("anna"), 4)));
        refused(
                validatedOn(live, 0, action, new Precondition.OwnerUses(UserName.of("anna"), 5)),
                Refusal.STALE,
                "uses 4 cores");
        accepted(validatedOn(live, 0, action, new Precondition.IdleCores(2)));
        refused(validatedOn(live, 1, action, new Precondition.IdleCores(2)), Refusal.STALE, "needs 2 idle cores");
        accepted(validatedOn(live, 0, action, new Precondition.JobRuns(key(1)), new Precondition.JobWaits(key(3))));
        refused(validatedOn(live, 0, action, new Precondition.JobRuns(key(3))), Refusal.STALE, "not running");
        refused(validatedOn(live, 0, action, new Precondition.AttemptAbsent(ATTEMPT)), Refusal.STALE, "already exists");
        accepted(validatedOn(
                live, 0, action, new Precondition.AttemptAbsent(ATTEMPT.job().attempt(2))));
    }

    @Test
    void a_reclaim_must_still_make_room() {
        final LiveCluster live = live(1, job(1, "anna", 3, RUNNING), job(2, "bob", 4, AT_THE_GATE));
        accepted(validatedOn(live, 0, new Action.Reclaim(List.of(key(1)), key(2))));
        refused(validatedOn(live, 1, new Action.Reclaim(List.of(key(1)), key(2))), Refusal.STALE, "its victims free 3");
        refused(validatedOn(live, 0, new Action.Reclaim(List.of(key(9)), key(2))), Refusal.STALE, "not in the queue");
        refused(validatedOn(live, 0, new Action.Reclaim(List.of(key(1)), key(9))), Refusal.STALE, "not in the queue");
    }

    @Test
    void an_interactive_job_is_never_touched_by_any_issuer() {
        final LiveCluster live =
                live(8, interactive(1, RUNNING), interactive(2, AT_THE_GATE), job(3, "bob", 4, AT_THE_GATE));
        final List<Action> touching = List.of(
                new Action.Reclaim(List.of(key(1)), key(3)),
                new Action.Requeue(key(1)),
                new Action.Suspend(key(1)),
                new Action.Resume(key(1)),
                new Action.Checkpoint(key(1), new CheckpointMethod.None()),
                new Action.Signal(key(1), "USR1"),
                new Action.Cancel(key(1)),
                new Action.AlterWalltime(key(1), Duration.ofHours(2)),
                new Action.AlterPending(key(2), "other", null),
                new Action.Hold(key(2)),
                new Action.Release(key(2)),
                new Action.SetTier(key(2), Tier.BORROWED));
        touching.forEach(
                action -> refused(validatedOn(live, 0, action), Refusal.NOT_PERMITTED, "is an interactive job"));
    }

    @Test
    void an_interactive_job_counts_and_passes_the_gate_like_any_other() {
        final LiveCluster live = live(8, job(1, "bob", 4, RUNNING), interactive(2, AT_THE_GATE));
        accepted(validatedOn(live, 0, new Action.Start(key(2))));
        accepted(validatedOn(live, 0, new Action.Reclaim(List.of(key(1)), key(2))));
        assertThat(live(8, interactive(1, RUNNING)).coresUsedBy(UserName.of("anna")))
                .isEqualTo(2);
    }

    @Test
    void a_marker_lies_in_the_jobs_directory() {
        final LiveCluster live = live(1, job(1, "anna", 3, RUNNING));
        accepted(validatedOn(
                live,
                0,
                new Action.Checkpoint(
                        key(1), new CheckpointMethod.Application("USR1", "state/saved", Duration.ofMinutes(1)))));
        for (final String outside : List.of("/etc/passwd", "../saved", "a/../../b", "")) {
            refused(
                    validatedOn(
                            live,
                            0,
                            new Action.Checkpoint(
                                    key(1), new CheckpointMethod.Application("USR1", outside, Duration.ofMinutes(1)))),
                    Refusal.STALE,
                    "not a file name relative");
        }
    }

    @Test
    void a_claim_is_what_the_beneficiary_takes_of_the_idle_cores() {
        final Action.Reclaim reclaim = new Action.Reclaim(List.of(key(1)), key(2));
        assertThat(ReclaimClaim.of(reclaim, live(1, job(1, "anna", 3, RUNNING), job(2, "bob", 4, AT_THE_GATE))))
                .isEqualTo(1);
        assertThat(ReclaimClaim.of(reclaim, live(4, job(1, "anna", 3, AT_THE_GATE), job(2, "bob", 4, AT_THE_GATE))))
                .isEqualTo(4);
        assertThat(ReclaimClaim.of(reclaim, live(0, job(1, "anna", 3, AT_THE_GATE), job(2, "bob", 4, RUNNING))))
                .isZero();
        assertThat(ReclaimClaim.of(reclaim, live(4, job(1, "anna", 3, AT_THE_GATE))))
                .isZero();
    }

    @Test
    void a_burst_sees_what_it_did_itself() {
        final LiveCluster live =
                live(4, job(1, "anna", 3, AT_THE_GATE), job(2, "bob", 2, AT_THE_GATE), job(3, "eve", 4, RUNNING));
        final LiveCluster next = AgentAction.of(new Action.Start(key(1))).after(live, NOON);
        assertThat(next.idleCores()).isEqualTo(1);
        assertThat(next.coresUsedBy(UserName.of("anna"))).isEqualTo(3);
        refused(validatedOn(next, 0, new Action.Start(key(2))), Refusal.STALE, "1 cores are idle");
        assertThat(AgentAction.of(new Action.Requeue(key(3))).after(live, NOON).idleCores())
                .as("freed, but not yet")
                .isEqualTo(4);
        refused(
                validatedOn(AgentAction.of(new Action.Cancel(key(3))).after(live, NOON), 0, new Action.Requeue(key(3))),
                Refusal.STALE,
                "not running");
    }

    @Test
    void cores_of_a_job_that_is_being_preempted_do_not_count_as_used_by_its_owner() {
        final LiveCluster live =
                live(0, job(1, "anna", 4, RUNNING), job(2, "anna", 4, RUNNING), job(3, "bob", 4, AT_THE_GATE));
        final Precondition aboveQuota = new Precondition.OwnerUses(UserName.of("anna"), 8);
        final Action second = new Action.Reclaim(List.of(key(2)), key(3));
        accepted(validatedOn(live, 0, second, aboveQuota));
        refused(
                validatedOn(
                        AgentAction.of(new Action.Reclaim(List.of(key(1)), key(3)))
                                .after(live, NOON),
                        0,
                        second,
                        aboveQuota),
                Refusal.STALE,
                "uses 4 cores; expected at least 8");
    }

    @Test
    void a_task_starts_in_another_partition_only_if_it_can_be_moved_alone() {
        final JobObserved array = job(1, "anna", 2, AT_THE_GATE);
        final LiveCluster live = live(8, array.with(JobDetail.NONE.with(new ArrayTasks("1", "3-9", 7, null))));
        final Command elsewhere = command(Issuer.BACKFILL, new Action.Start(key(1), PartitionName.of("elsewhere")));
        final Command here = command(Issuer.BACKFILL, new Action.Start(key(1), array.partition()));
        final CommandValidator all = new CommandValidator(EnumSet.allOf(Capability.class));
        final CommandValidator single = new CommandValidator(EnumSet.complementOf(EnumSet.of(Capability.MOVE_TASKS)));
        accepted(all.validateLive(elsewhere, live, 0, attempt -> false));
        accepted(single.validateLive(here, live, 0, attempt -> false));
        accepted(single.validateLive(elsewhere, live(8, array), 0, attempt -> false));
        refused(single.validateLive(elsewhere, live, 0, attempt -> false), Refusal.UNSUPPORTED, "needs MOVE_TASKS");
    }

    @Test
    void tasks_start_only_if_all_wait_and_fit_and_have_a_slot() {
        final JobObserved array = job(1, "anna", 2, AT_THE_GATE);
        final LiveCluster live = live(8, array.with(JobDetail.NONE.with(new ArrayTasks("1", "3-9", 7, null))));
        accepted(validatedOn(live, 0, Action.Start.tasks(key(1), "3,6-8")));
        refused(validatedOn(live, 0, Action.Start.tasks(key(1), "3-7")), Refusal.STALE, "needs 10 cores");
        refused(validatedOn(live, 0, Action.Start.tasks(key(1), "1-3")), Refusal.STALE, "tasks 1-2 of");
        final LiveCluster limited = live(8, array.with(JobDetail.NONE.with(new ArrayTasks("1", "3-9", 7, 3, 1))));
        refused(validatedOn(limited, 0, Action.Start.tasks(key(1), "3-4")), Refusal.STALE, "1 free slots for 2 tasks");
        refused(validatedOn(live(8, array), 0, Action.Start.tasks(key(1), "3")), Refusal.STALE, "does not show");

        final LiveCluster next =
                AgentAction.of(Action.Start.tasks(key(1), "3-5")).after(live, NOON);
        assertThat(next.idleCores()).isEqualTo(2);
        assertThat(next.coresUsedBy(UserName.of("anna"))).isEqualTo(6);

        final Action both = new Action.Reclaim(List.of(key(2)), key(1), null, null, "3-4");
        final JobObserved victim = job(2, "bob", 3, RUNNING);
        final JobObserved waiting = array.with(JobDetail.NONE.with(new ArrayTasks("1", "3-9", 7, null)));
        accepted(validatedOn(live(1, waiting, victim), 0, both));
        refused(validatedOn(live(0, waiting, victim), 0, both), Refusal.STALE, "needs 4 cores; its victims free 3");
        refused(
                validatedOn(
                        live(8, array.with(JobDetail.NONE.with(new ArrayTasks("1", "4-9", 6, null))), victim), 0, both),
                Refusal.STALE,
                "tasks 3 of");
        assertThat(ReclaimClaim.of((Action.Reclaim) both, live(1, waiting, victim)))
                .isEqualTo(1);

        final CommandValidator single = new CommandValidator(EnumSet.of(Capability.START));
        refused(
                single.validateStatic(command(Issuer.BACKFILL, Action.Start.tasks(key(1), "3-5")), NOON),
                Refusal.UNSUPPORTED,
                "START_TASKS");
        refused(single.validateStatic(command(Issuer.QUOTA, both), NOON), Refusal.UNSUPPORTED, "START_TASKS");
    }
}
