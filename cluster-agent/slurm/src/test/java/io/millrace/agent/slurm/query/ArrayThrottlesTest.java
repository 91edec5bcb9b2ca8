package io.millrace.agent.slurm.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArrayThrottlesTest {

    private static final JobState HELD = new JobState.Held(HoldKind.ENTRY);
    private static final JobState RUNNING = new JobState.Running(Instant.EPOCH, List.of());

    private final ArrayThrottles throttles = new ArrayThrottles();

    private Integer limitOf(final String id, final JobObserved... jobs) {
        return limitOf(id, Set.of(), jobs);
    }

    private Integer limitOf(final String id, final Set<String> merged, final JobObserved... jobs) {
        return throttles.complete(List.of(jobs), merged).stream()
                .filter(job -> job.job().id().local().equals(id))
                .findFirst()
                .orElseThrow()
                .detail()
                .array()
                .maxConcurrent();
    }

    @Test
    void the_last_waiting_task_keeps_the_limit_of_its_array() {
        assertThat(limitOf("7", job("7", "1-3", 1, HELD))).isEqualTo(1);
        assertThat(limitOf("7_3", job("7_3", "3", null, HELD), job("7_2", "2", null, RUNNING)))
                .isEqualTo(1);
        assertThat(limitOf("7_3", job("7_3", "3", null, HELD))).isEqualTo(1);
    }

    @Test
    void the_limit_that_is_shown_counts() {
        throttles.complete(List.of(job("7", "1-9", 1, HELD)), Set.of());
        assertThat(limitOf("7_9", job("7_9", "9", null, HELD), job("7", "1-8", 4, HELD)))
                .isEqualTo(4);
        assertThat(limitOf("7", job("7", "1-8", null, HELD)))
                .as("it was removed")
                .isNull();
        assertThat(limitOf("7_8", job("7_8", "8", null, HELD))).isNull();
    }

    /** Slurm prints 7_[1-9] without its limit while a released task waits for Slurm's next pass. */
    @Test
    void a_limit_that_is_not_printed_beside_tasks_that_are_about_to_start_is_kept() {
        throttles.complete(List.of(job("7", "1-9", 3, HELD)), Set.of());
        assertThat(limitOf("7", Set.of("7"), job("7", "2-9", null, HELD), job("7_1", "1", null, new JobState.Queued())))
                .isEqualTo(3);
        assertThat(limitOf("7", Set.of("7"), job("7", "2-9", null, HELD), job("7_1", "1", null, RUNNING)))
                .isEqualTo(3);
        assertThat(limitOf("7", job("7", "2-9", null, HELD), job("7_1", "1", null, RUNNING)))
                .as("it was removed")
                .isNull();
    }

    @Test
    void another_array_or_one_that_has_left_the_queue_has_no_limit_of_it() {
        throttles.complete(List.of(job("7", "1-3", 1, HELD)), Set.of());
        assertThat(limitOf("8_3", job("8_3", "3", null, HELD))).isNull();
        assertThat(limitOf("7_3", job("7_3", "3", null, HELD))).isNull();
    }

    private static JobObserved job(
            final String id, final String indices, final @Nullable Integer limit, final JobState state) {
        return new JobObserved(
                new JobKey(new JobId(ClusterId.of("alpha"), id), Instant.EPOCH),
                "job",
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(1),
                null,
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE.with(
                        new ArrayTasks(id.replaceFirst("_.*", ""), indices, ArrayIndices.count(indices), limit)));
    }
}
