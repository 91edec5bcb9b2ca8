package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.domain.Run;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ArrayStarting;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Arrays of short tasks on a directed cluster: tasks start only when they are named, round after round. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slurm")
class ArrayLiveIT {

    private static final JobState ENTRY_HOLD = new JobState.Held(HoldKind.ENTRY);

    private SlurmLab lab;
    private WorkloadManager slurm;

    @BeforeAll
    void open() {
        lab = SlurmLab.open();
        slurm = lab.wlm();
    }

    @AfterAll
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    @AfterEach
    void empty_the_queue() {
        queue().forEach(job -> slurm.cancel(job.job()));
        lab.until("an empty queue", () -> queue().isEmpty());
    }

    @Test
    void each_task_runs_once_in_its_round_and_never_more_at_a_time_than_the_limit_of_the_array() throws IOException {
        final Path runs = lab.directory();
        final String id = submit(
                "echo $(date +%s%N) 1 >>" + runs + "/$SLURM_ARRAY_TASK_ID; sleep 1; echo $(date +%s%N) -1 >>" + runs
                        + "/$SLURM_ARRAY_TASK_ID",
                "--array=1-10,15,20%3");
        final JobKey array = lab.key(id);
        final List<Integer> named = new ArrayList<>();
        while (true) {
            final List<JobObserved> seen = queue();
            if (seen.isEmpty()) {
                break;
            }
            final JobObserved rest = held(seen);
            final ArrayTasks waiting = rest == null ? null : rest.detail().array();
            if (waiting != null && waiting.freeSlots() > 0) {
                final String next = waiting.first(waiting.freeSlots()).indices();
                assertThat(slurm.get(ArrayStarting.class).start(rest.job(), next))
                        .isInstanceOf(Answer.Ok.class);
                ArrayIndices.read(next).forEach(named::add);
            }
        }

        assertThat(named).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20);
        final List<String> times = new ArrayList<>();
        try (Stream<Path> files = Files.list(runs)) {
            for (final Path file : files.toList()) {
                assertThat(Files.readAllLines(file))
                        .as("start and end of " + file)
                        .hasSize(2);
                times.addAll(Files.readAllLines(file));
            }
        }
        assertThat(times).hasSize(24);
        assertThat(mostAtATime(times)).isBetween(1, 3);
        assertThat(ends(id, array, "1-10,15,20")).hasSize(12).allMatch(new RunOutcome.Exited(0)::equals);
    }

    @Test
    void tasks_that_are_not_named_wait_while_the_scheduler_starts_others() {
        final String id = submit("exec sleep 600", "--array=1-4");
        final JobKey array = lab.key(id);
        final StartedTasks started =
                slurm.get(ArrayStarting.class).start(array, "2,4").get();
        assertThat(started.indices()).isEqualTo("2,4");
        lab.await(id + "_2", job -> job.state() instanceof JobState.Running);
        lab.await(id + "_4", job -> job.state() instanceof JobState.Running);

        final JobObserved rest = lab.observed(id);
        assertThat(rest.state()).isEqualTo(ENTRY_HOLD);
        assertThat(rest.detail().array().indices()).isEqualTo("1,3");
        assertThat(queue()).hasSize(3);
    }

    /** Slurm's commands refuse 1-9:2, and print 1,3,5,7,9. */
    @Test
    void tasks_at_regular_distances_are_named_and_changed_like_others() {
        final String id = submit("exec sleep 600", "--array=1-20");
        final JobKey array = lab.key(id);
        assertThat(slurm.get(ArrayStarting.class).start(array, "1-9:2").get().indices())
                .isEqualTo("1-9:2");
        lab.await(id + "_9", job -> job.state() instanceof JobState.Running);
        slurm.get(ArrayStarting.class).start(array, "10-20:2").get();
        lab.await(id + "_20", job -> job.state() instanceof JobState.Running);

        assertThat(lab.observed(id).detail().array().indices()).isEqualTo("2,4,6,8,11,13,15,17,19");
        assertThat(slurm.get(Altering.class).setWalltime(array, Duration.ofMinutes(7)))
                .isInstanceOf(Answer.Ok.class);
        assertThat(lab.observed(id).walltime()).isEqualTo(Duration.ofMinutes(7));
    }

    @Test
    void a_limit_that_the_owner_lowers_counts_for_the_next_round() {
        final String id = submit("exec sleep 600", "--array=1-9%4");
        final JobKey array = lab.key(id);
        slurm.get(ArrayStarting.class).start(array, "1").get();
        lab.await(id + "_1", job -> job.state() instanceof JobState.Running);
        assertThat(freeSlots()).isEqualTo(3);

        lab.asOwner("scontrol", "update", "JobId=" + id, "ArrayTaskThrottle=2").get();
        lab.until("the new limit", () -> freeSlots() == 1);
    }

    @Test
    void a_task_that_ends_in_an_error_does_not_keep_the_others_from_their_start() {
        final String id = submit("[ $SLURM_ARRAY_TASK_ID != 1 ] || exit 3", "--array=1-2");
        final JobKey array = lab.key(id);
        slurm.get(ArrayStarting.class).start(array, "1").get();
        lab.until("the end of the first task", () -> queue().size() == 1);
        assertThat(queue().getFirst().state()).isEqualTo(ENTRY_HOLD);
        slurm.get(Starting.class).start(queue().getFirst().job()).get();
        lab.until("the end of the second task", () -> queue().isEmpty());

        assertThat(ends(id, array, "1-2"))
                .containsExactlyInAnyOrder(new RunOutcome.Exited(3), new RunOutcome.Exited(0));
    }

    private String submit(final String script, final String... options) {
        return lab.script(lab.owner(), "#!/bin/sh\n" + script + "\n", List.of(options));
    }

    private List<JobObserved> queue() {
        return slurm.observe().get().jobs();
    }

    /** The tasks that wait for their start; null if there are none. */
    private static JobObserved held(final List<JobObserved> seen) {
        return seen.stream()
                .filter(job -> job.state().equals(ENTRY_HOLD))
                .findFirst()
                .orElse(null);
    }

    private int freeSlots() {
        return held(queue()).detail().array().freeSlots();
    }

    /** @param times of starts ({@code TIME 1}) and ends ({@code TIME -1}) */
    private static int mostAtATime(final List<String> times) {
        int running = 0;
        int most = 0;
        for (final String time : times.stream().sorted().toList()) {
            running += Integer.parseInt(time.substring(time.indexOf(' ') + 1));
            most = Math.max(most, running);
        }
        return most;
    }

    private List<RunOutcome> ends(final String id, final JobKey array, final String indices) {
        final List<JobKey> tasks = ArrayIndices.read(indices)
                .mapToObj(task -> new JobKey(new JobId(lab.cluster(), id + "_" + task), array.submittedAt()))
                .toList();
        lab.until(
                "the records of the ends",
                () -> slurm.get(Accounting.class).ended(tasks).get().size() == tasks.size());
        return slurm.get(Accounting.class).ended(tasks).get().stream()
                .map(Run::outcome)
                .toList();
    }
}
