package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.AT_THE_GATE;
import static io.millrace.agent.domain.TestJobs.NOON;
import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.job;
import static io.millrace.agent.domain.TestJobs.key;
import static io.millrace.agent.domain.TestJobs.live;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.action.AgentAction;
import io.millrace.model.PartitionName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterruptedCommandTest {

    private static final JobState JUST_STARTED = new JobState.Running(NOON.plusSeconds(2), List.of());

    private static Result look(final Action action, final List<Run> ended, final JobObserved... jobs) {
        return AgentAction.of(action).effect(new InterruptedCommand(NOON, live(4, jobs), ended));
    }

    private static Result look(final Action action, final JobState... state) {
        final JobObserved[] jobs =
                state.length == 0 ? new JobObserved[0] : new JobObserved[] {job(1, "anna", 1, state[0])};
        return look(action, List.of(), jobs);
    }

    private static void done(final Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    private static void failed(final Result result) {
        assertThat(result).isInstanceOf(Result.Failed.class);
    }

    @Test
    void a_start_took_effect_if_the_job_does_not_wait_any_more() {
        done(look(new Action.Start(key(1)), RUNNING));
        done(look(new Action.Start(key(1)), new JobState.Queued()));
        failed(look(new Action.Start(key(1)), AT_THE_GATE));
        failed(look(new Action.Start(key(1))));
        done(look(
                new Action.Start(key(1)),
                List.of(new Run(
                        key(1), 1, NOON.plusSeconds(1), NOON.plusSeconds(2), new RunOutcome.Exited(0), "sacct"))));
        failed(look(
                new Action.Start(key(1)),
                List.of(new Run(key(1), 1, null, NOON.plusSeconds(2), new RunOutcome.Cancelled(), "sacct"))));
    }

    @Test
    void of_a_start_of_tasks_those_took_effect_that_are_no_longer_held() {
        final Action start = Action.Start.tasks(key(1), "2-6");
        final JobObserved rest = job(1, "anna", 1, AT_THE_GATE).with(tasks("5-9", 5));
        final JobObserved alone = job(2, "anna", 1, AT_THE_GATE).with(tasks("3", 1));
        final JobObserved released = job(3, "anna", 1, new JobState.Queued()).with(tasks("4", 1));

        assertThat(look(start, List.of(), rest, alone, released)).isInstanceOfSatisfying(Result.Done.class, done -> {
            assertThat(done.tasks()).isEqualTo("2,4");
            assertThat(done.detail()).contains("tasks 3,5-6 are still held");
        });
        failed(look(start, List.of(), job(1, "anna", 1, AT_THE_GATE).with(tasks("1-9", 9))));
    }

    @Test
    void of_a_reclaim_for_tasks_those_took_effect_that_are_no_longer_held() {
        final Action reclaim = new Action.Reclaim(List.of(key(2)), key(1), null, null, "2-6");
        assertThat(look(reclaim, List.of(), job(1, "anna", 1, AT_THE_GATE).with(tasks("5-9", 5))))
                .isInstanceOfSatisfying(
                        Result.Done.class, done -> assertThat(done.tasks()).isEqualTo("2-4"));
        failed(look(reclaim, List.of(), job(1, "anna", 1, AT_THE_GATE).with(tasks("1-9", 9))));
    }

    private static JobDetail tasks(final String indices, final int count) {
        return JobDetail.NONE.with(new ArrayTasks("1", indices, count, null));
    }

    @Test
    void an_interrupted_start_in_another_partition_names_the_partition_of_the_job() {
        final JobObserved moved = job(1, "anna", 1, AT_THE_GATE).in(PartitionName.of("fast"));
        assertThat(look(new Action.Start(key(1), PartitionName.of("fast")), List.of(), moved))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("is pending in partition fast"));
    }

    @Test
    void a_requeue_took_effect_if_the_run_that_was_meant_is_over() {
        failed(look(new Action.Requeue(key(1)), RUNNING));
        done(look(new Action.Requeue(key(1)), JUST_STARTED));
        done(look(new Action.Requeue(key(1)), AT_THE_GATE));
        failed(look(
                new Action.Requeue(key(1)),
                List.of(new Run(key(1), 1, NOON, NOON.plusSeconds(2), new RunOutcome.Exited(0), "sacct"))));
    }

    @Test
    void a_checkpoint_without_requeue_is_reported_as_failed() {
        final Action action =
                new Action.Checkpoint(key(1), new CheckpointMethod.Application("USR1", "saved", Duration.ofMinutes(1)));
        done(look(action, AT_THE_GATE));
        assertThat(look(action, RUNNING))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("may have been signalled"));
    }

    @Test
    void holds_and_cancels_are_seen_in_the_queue() {
        done(look(new Action.Cancel(key(1))));
        done(look(new Action.Cancel(key(1)), new JobState.Completing()));
        failed(look(new Action.Cancel(key(1)), RUNNING));
        failed(look(new Action.Release(key(1)), new JobState.Held(HoldKind.SUBMISSION)));
        done(look(new Action.Release(key(1)), AT_THE_GATE));
        done(look(new Action.Hold(key(1)), new JobState.Held(HoldKind.SUBMISSION)));
        failed(look(new Action.Hold(key(1)), AT_THE_GATE));
        failed(look(new Action.Hold(key(1)), new JobState.Queued()));
    }

    @Test
    void a_walltime_is_read_back_as_its_workload_manager_rounds_it() {
        done(look(new Action.AlterWalltime(key(1), Duration.ofHours(1)), AT_THE_GATE));
        done(look(new Action.AlterWalltime(key(1), Duration.ofSeconds(3590)), RUNNING));
        failed(look(new Action.AlterWalltime(key(1), Duration.ofMinutes(58)), AT_THE_GATE));
        failed(look(new Action.AlterWalltime(key(1), Duration.ofHours(2)), AT_THE_GATE));
        failed(look(new Action.AlterPending(key(1), "other", null), AT_THE_GATE));
        failed(look(new Action.AlterPending(key(1), null, 999), AT_THE_GATE));
    }

    @Test
    void commands_that_can_be_repeated_are_reported_as_such() {
        assertThat(look(new Action.SetTier(key(1), Tier.GUARANTEED), AT_THE_GATE))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("can be set again"));
    }

    @Test
    void it_is_unknown_whether_a_signal_was_sent() {
        assertThat(look(new Action.Signal(key(1), "USR1"), RUNNING)).isInstanceOf(Result.Unclear.class);
    }

    @Test
    void a_reclaim_is_done_only_if_the_beneficiary_runs() {
        final Action action = new Action.Reclaim(List.of(key(1)), key(2));
        done(look(action, List.of(), job(1, "anna", 1, AT_THE_GATE), job(2, "bob", 1, RUNNING)));
        assertThat(look(action, List.of(), job(1, "anna", 1, AT_THE_GATE), job(2, "bob", 1, AT_THE_GATE)))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason())
                                .contains("1 of 1 victims")
                                .contains("are pending, and the beneficiary is not running"));
        assertThat(look(action, List.of(), job(1, "anna", 1, RUNNING), job(2, "bob", 1, AT_THE_GATE)))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("0 of 1 victims"));
    }
}
