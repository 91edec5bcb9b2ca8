package io.millrace.decide;

import static io.millrace.decide.Cluster.ALPHA;
import static io.millrace.decide.Cluster.QUEUED;
import static io.millrace.decide.Cluster.RUNNING;
import static io.millrace.decide.Cluster.answer;
import static io.millrace.decide.Cluster.command;
import static io.millrace.decide.Cluster.job;
import static io.millrace.decide.Cluster.key;
import static io.millrace.decide.Cluster.marker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssumedClusterTest {

    private static final JobState HELD = new JobState.Held(HoldKind.ENTRY);

    private final ClusterView view = new ClusterView(ALPHA);
    private final CommandView commands = new CommandView(Issuer.BACKFILL);

    private AssumedCluster after(final Action... actions) {
        long offset = 100;
        for (final Action action : actions) {
            commands.apply(command(action, 0), offset++);
        }
        return AssumedCluster.of(view, commands);
    }

    private static JobState state(final AssumedCluster cluster, final int number) {
        return cluster.jobs().stream()
                .filter(job -> job.job().equals(key(number)))
                .map(JobObserved::state)
                .findFirst()
                .orElseThrow();
    }

    private void cluster(final Control control) {
        view.apply(job(1, 4, QUEUED));
        view.apply(job(2, 6, RUNNING));
        view.apply(job(3, 3, HELD));
        view.apply(marker(1, 5, 50, control));
    }

    @Test
    void nothing_can_be_assumed_before_a_first_revision() {
        view.apply(job(1, 4, QUEUED));
        assertThatThrownBy(() -> AssumedCluster.of(view, commands)).hasMessageContaining("no revision closed yet");
    }

    @Test
    void without_commands_it_is_the_newest_revision() {
        cluster(Control.DIRECTED);
        final AssumedCluster assumed = after();
        assertThat(assumed.idleCores()).isEqualTo(5);
        assertThat(assumed.jobs()).containsExactlyElementsOf(view.jobs());
    }

    @Test
    void commands_change_only_the_jobs_that_they_name() {
        cluster(Control.DIRECTED);
        final AssumedCluster assumed = after(
                new Action.Start(key(1)),
                new Action.Start(key(2)),
                new Action.Cancel(key(3)),
                new Action.Start(key(99)));
        assertThat(assumed.commanded()).containsExactly(key(1), key(2), key(3));
        assertThat(assumed.jobs()).hasSize(2);
        assertThat(assumed.job(key(1)).state()).isInstanceOf(JobState.Running.class);
        assertThat(assumed.job(key(2))).isSameAs(view.job(key(2)));
        assertThat(assumed.job(key(3))).isNull();
        assertThat(assumed.job(key(99))).isNull();
    }

    @Test
    void cores_that_a_start_takes_are_gone_at_once() {
        cluster(Control.DIRECTED);
        final AssumedCluster assumed = after(new Action.Start(key(1)));
        assertThat(assumed.idleCores()).isEqualTo(1);
        assertThat(state(assumed, 1)).isInstanceOf(JobState.Running.class);
        assertThat(after(new Action.Start(key(3))).idleCores()).isZero();
    }

    /** */
    @Test
    void a_job_that_starts_in_another_partition_runs_there() {
        cluster(Control.DIRECTED);
        final PartitionName fast = PartitionName.of("fast");

        final AssumedCluster assumed = after(new Action.Start(key(1), fast), new Action.Start(key(3)));

        assertThat(assumed.job(key(1)).partition()).isEqualTo(fast);
        assertThat(assumed.job(key(3)).partition()).isEqualTo(view.job(key(3)).partition());
        assertThat(assumed.idleCores()).isZero();
        assertThat(after(new Action.Start(key(99), fast)).job(key(99))).isNull();
    }

    @Test
    void a_start_that_the_revision_already_shows_takes_nothing() {
        cluster(Control.DIRECTED);
        assertThat(after(new Action.Start(key(2))).idleCores()).isEqualTo(5);
        assertThat(after(new Action.Start(key(99))).idleCores()).isEqualTo(5);
    }

    @Test
    void a_start_is_assumed_from_its_decision_to_the_revision_that_includes_it() {
        cluster(Control.DIRECTED);
        final Command start = command(new Action.Start(key(1)), 0);
        commands.apply(start, CommandView.NOT_YET_KNOWN);
        assertThat(after().idleCores()).isEqualTo(1);
        commands.apply(start, 60);
        commands.apply(answer(start, new Result.Done(null, "started")));
        assertThat(after().idleCores()).isEqualTo(1);
        commands.included(61);
        assertThat(after().idleCores()).isEqualTo(5);
    }

    @Test
    void cores_that_a_requeue_frees_are_free_only_when_a_revision_shows_it() {
        cluster(Control.DIRECTED);
        final AssumedCluster assumed = after(new Action.Requeue(key(2)));
        assertThat(assumed.idleCores()).isEqualTo(5);
        assertThat(state(assumed, 2)).isEqualTo(HELD);
    }

    @Test
    void what_gives_way_waits_as_the_control_of_the_cluster_says() {
        cluster(Control.NATIVE);
        assertThat(state(after(new Action.Requeue(key(2))), 2)).isEqualTo(QUEUED);
        assertThat(state(
                        after(new Action.Checkpoint(
                                key(2), new CheckpointMethod.Application("USR1", "done", Duration.ofMinutes(1)))),
                        2))
                .isEqualTo(QUEUED);
        assertThat(state(after(new Action.Release(key(3))), 3)).isEqualTo(QUEUED);
    }

    @Test
    void a_reclaim_claims_what_its_victims_do_not_cover() {
        view.apply(job(1, 8, QUEUED));
        view.apply(job(2, 6, RUNNING));
        view.apply(marker(1, 5, 0));
        final AssumedCluster assumed = after(new Action.Reclaim(List.of(key(2)), key(1)));
        assertThat(assumed.idleCores()).isEqualTo(3);
        assertThat(state(assumed, 1)).isInstanceOf(JobState.Running.class);
        assertThat(state(assumed, 2)).isEqualTo(HELD);
    }

    @Test
    void a_reclaim_whose_victims_free_more_than_is_needed_takes_no_idle_cores_and_promises_none() {
        cluster(Control.DIRECTED);
        assertThat(after(new Action.Reclaim(List.of(key(2)), key(1))).idleCores())
                .isEqualTo(5);
    }

    @Test
    void a_victim_that_is_suspended_is_assumed_to_stand_where_it_ran() {
        view.apply(job(1, 8, QUEUED));
        view.apply(job(2, 6, RUNNING));
        view.apply(marker(1, 5, 0));
        final Preemption stopped = new Preemption(key(2), Preemption.Mode.SUSPEND, null, 0, "for the test");
        final AssumedCluster assumed = after(new Action.Reclaim(List.of(key(2)), key(1), List.of(stopped)));

        assertThat(state(assumed, 2)).isInstanceOf(JobState.Suspended.class);
        assertThat(assumed.idleCores()).isEqualTo(3);
    }

    @Test
    void a_resumed_job_has_its_cores_again_at_once() {
        view.apply(job(2, 4, new JobState.Suspended(Instant.EPOCH, List.of())));
        view.apply(marker(1, 5, 0));
        final AssumedCluster assumed = after(new Action.Resume(key(2)));

        assertThat(state(assumed, 2)).isEqualTo(new JobState.Running(Instant.EPOCH, List.of()));
        assertThat(assumed.idleCores()).isEqualTo(1);
    }

    @Test
    void idle_cores_never_turn_negative() {
        view.apply(job(1, 4, QUEUED));
        view.apply(job(2, 4, QUEUED));
        view.apply(marker(1, 5, 0));
        assertThat(after(new Action.Start(key(1)), new Action.Start(key(2))).idleCores())
                .isZero();
    }

    @Test
    void a_cancelled_job_is_gone_and_a_held_one_waits() {
        cluster(Control.DIRECTED);
        final AssumedCluster assumed = after(new Action.Cancel(key(2)), new Action.Hold(key(1)));
        assertThat(assumed.jobs()).extracting(JobObserved::job).containsExactly(key(1), key(3));
        assertThat(state(assumed, 1)).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        assertThat(assumed.idleCores()).isEqualTo(5);
    }

    @Test
    void a_released_job_is_not_shown_as_held_by_an_operator_until_the_cluster_shows_its_release() {
        final JobObserved held = job(1, 4, new JobState.Held(HoldKind.SUBMISSION));
        view.apply(held.with(Eligibility.not(Eligibility.Obstacle.HOLD)));
        view.apply(marker(1, 20, 50, Control.DIRECTED));
        assertThat(veto(after(), 1)).isEqualTo("submission-in-progress: held until Millrace releases it");

        assertThat(veto(after(new Action.Release(key(1))), 1))
                .isEqualTo("submission-in-progress: released; the cluster does not show it yet");
    }

    private static String veto(final AssumedCluster assumed, final int number) {
        final Veto veto = assumed.job(key(number)).startVeto().orElseThrow();
        return veto.code() + ": " + veto.reason();
    }

    @Test
    void tasks_that_start_take_their_cores_and_are_listed_one_by_one_and_the_others_wait_unseen() {
        view.apply(array("1-9", 9));
        view.apply(job(2, 6, RUNNING));
        view.apply(marker(1, 20, 50, Control.DIRECTED));

        final AssumedCluster assumed = after(Action.Start.tasks(key(1), "2-4"));
        assertThat(assumed.idleCores()).isEqualTo(20 - 3 * 4);
        assertThat(assumed.jobs())
                .hasSize(4)
                .filteredOn(job -> job.job().equals(key(1)))
                .hasSize(3)
                .allMatch(job -> job.state() instanceof JobState.Running
                        && job.resources().cores() == 4);
        assertThat(assumed.jobs().size()).isEqualTo(4);
        assertThat(assumed.tasksStarting(key(1))).isEqualTo(3);
        assertThat(assumed.job(key(1)).detail().array().indices()).isEqualTo("2-4");
    }

    @Test
    void a_reclaim_for_tasks_takes_the_cores_of_all_of_them() {
        view.apply(array("1-9", 9));
        view.apply(job(2, 6, RUNNING));
        view.apply(marker(1, 20, 50, Control.DIRECTED));

        final AssumedCluster assumed = after(new Action.Reclaim(List.of(key(2)), key(1), null, null, "2-4"));
        assertThat(assumed.idleCores()).isEqualTo(20 - (3 * 4 - 6));
        assertThat(assumed.tasksStarting(key(1))).isEqualTo(3);
        assertThat(assumed.job(key(1)).detail().array().indices()).isEqualTo("2-4");
    }

    @Test
    void of_tasks_that_start_only_those_are_assumed_that_the_revision_still_shows_waiting() {
        view.apply(array("4-9", 6));
        view.apply(job(3, 4, QUEUED).with(JobDetail.NONE.with(new ArrayTasks("1", "3", 1, null))));
        view.apply(job(2, 4, RUNNING).with(JobDetail.NONE.with(new ArrayTasks("1", "2", 1, null))));
        view.apply(marker(1, 20, 50, Control.DIRECTED));

        final AssumedCluster assumed = after(Action.Start.tasks(key(1), "2-4"));
        assertThat(assumed.idleCores()).as("task 2 runs already").isEqualTo(20 - 2 * 4);
        assertThat(assumed.commanded()).containsExactlyInAnyOrder(key(1), key(3));
        assertThat(state(assumed, 3)).isInstanceOf(JobState.Running.class);
        assertThat(assumed.tasksStarting(key(1))).isEqualTo(1);

        view.apply(array("5-9", 5));
        view.apply(marker(2, 12, 50, Control.DIRECTED));
        assertThat(after(Action.Start.tasks(key(1), "2-4")).job(key(1)))
                .as("no task of the record starts")
                .isEqualTo(view.job(key(1)));
    }

    private static JobObserved array(final String indices, final int tasks) {
        return job(1, 4, QUEUED).with(JobDetail.NONE.with(new ArrayTasks("1", indices, tasks, null)));
    }
}
