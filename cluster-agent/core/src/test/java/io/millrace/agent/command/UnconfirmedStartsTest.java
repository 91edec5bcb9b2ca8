package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Observation;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnconfirmedStartsTest {

    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final JobState WAITS = new JobState.Held(HoldKind.ENTRY);
    private static final JobState RUNS = new JobState.Running(NOON, List.of());

    private final UnconfirmedStarts starts = new UnconfirmedStarts();

    @Test
    void the_start_of_an_array_task_is_shown_by_a_record_without_it() {
        final CommandId start = start(array("1-6", 6, null));

        assertThat(starts.take(seen(1, array("1-6", 6, null)))).isEmpty();
        assertThat(starts.take(seen(2, array("2-6", 5, null), task("1", RUNS)))).containsExactly(start);
    }

    @Test
    void a_task_that_was_released_and_does_not_run_yet_is_not_shown() {
        final CommandId start = start(array("1-6", 6, null));

        assertThat(starts.take(seen(1, array("2-6", 5, null), task("1", new JobState.Queued()))))
                .isEmpty();
        assertThat(starts.take(seen(2, array("2-6", 5, null), task("1", RUNS)))).containsExactly(start);
    }

    @Test
    void the_last_task_is_shown_when_the_record_is_gone() {
        final CommandId start = start(array("6", 1, null));

        assertThat(starts.take(seen(1, task("6", RUNS)))).containsExactly(start);
    }

    @Test
    void a_start_without_an_effect_is_given_up_after_thirty_seconds() {
        final CommandId start = start(array("1-6", 6, null));

        assertThat(starts.take(seen(31, array("1-6", 6, null)))).containsExactly(start);
    }

    @Test
    void a_limited_array_has_as_many_free_slots_as_its_running_tasks_leave() {
        final Observation one = seen(1, array("2-6", 5, 2), task("1", RUNS));
        assertThat(one.jobs().getFirst().isStartable()).isTrue();
        assertThat(one.jobs().getFirst().detail().array().freeSlots()).isEqualTo(1);

        final Observation two = seen(2, array("3-6", 4, 2), task("1", RUNS), task("2", RUNS));
        assertThat(two.jobs().getFirst().eligibility()).isEqualTo(Eligibility.not(Obstacle.ARRAY_LIMIT));
    }

    @Test
    void a_start_of_several_tasks_is_shown_when_none_of_them_waits() {
        final CommandId start = start(array("1-6", 6, null), "1-4");

        assertThat(starts.take(seen(1, array("3-6", 4, null), task("1", RUNS), task("2", RUNS))))
                .isEmpty();
        final JobObserved rest = array("5-6", 2, null);
        assertThat(starts.take(seen(2, rest, task("3", new JobState.Queued()), task("4", RUNS))))
                .isEmpty();
        assertThat(starts.take(seen(3, rest, task("3", RUNS)))).containsExactly(start);
    }

    @Test
    void a_start_of_many_tasks_is_given_up_thirty_seconds_after_the_last_of_them_has_started() {
        final CommandId start = start(array("1-6", 6, null), "1-4");

        assertThat(starts.take(seen(20, array("2-6", 5, null), task("1", RUNS))))
                .isEmpty();
        assertThat(starts.take(seen(45, array("2-6", 5, null), task("1", RUNS))))
                .isEmpty();
        assertThat(starts.take(seen(51, array("2-6", 5, null)))).containsExactly(start);
    }

    private CommandId start(final JobObserved array) {
        return start(array, null);
    }

    private CommandId start(final JobObserved array, final @Nullable String tasks) {
        final CommandId id = Command.idOf(Issuer.BACKFILL, new Action.Start(array.job()), 0);
        starts.add(id, array.job(), tasks, array, NOON);
        return id;
    }

    private static Observation seen(final int seconds, final JobObserved... jobs) {
        return new Observation(NOON.plusSeconds(seconds), Control.DIRECTED, List.of(jobs), List.of(), List.of());
    }

    private static JobObserved array(final String indices, final int tasks, final @Nullable Integer limit) {
        return job("12", WAITS, new ArrayTasks("12", indices, tasks, limit));
    }

    private static JobObserved task(final String index, final JobState state) {
        return job("12_" + index, state, new ArrayTasks("12", index, 1, null));
    }

    private static JobObserved job(final String id, final JobState state, final ArrayTasks tasks) {
        return new JobObserved(
                new JobKey(new JobId(ClusterId.of("alpha"), id), NOON),
                "array",
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(1),
                null,
                Eligibility.since(NOON),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE.with(tasks));
    }
}
