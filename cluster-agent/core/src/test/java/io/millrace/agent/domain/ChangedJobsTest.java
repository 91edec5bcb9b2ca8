package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.AT_THE_GATE;
import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.job;
import static io.millrace.agent.domain.TestJobs.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChangedJobsTest {

    @Test
    void it_equals_a_copy_of_the_map_with_the_same_changes_and_leaves_earlier_ones_as_they_were() {
        for (long seed = 1; seed <= 50; seed++) {
            final Random random = new Random(seed);
            final Map<JobKey, JobObserved> copy = new HashMap<>();
            final int size = 1 + random.nextInt(20);
            for (int id = 1; id <= size; id++) {
                copy.put(key(id), job(id, "anna", 1, AT_THE_GATE));
            }
            Map<JobKey, JobObserved> changed = Map.copyOf(copy);
            for (int step = 0; step < 30; step++) {
                final Map<JobKey, JobObserved> before = changed;
                final Map<JobKey, JobObserved> copyBefore = Map.copyOf(copy);
                final int id = 1 + random.nextInt(size);
                final JobObserved next =
                        job(id, "anna", 1 + random.nextInt(9), random.nextBoolean() ? RUNNING : AT_THE_GATE);

                changed = ChangedJobs.with(changed, key(id), next);
                copy.put(key(id), next);

                assertThat(changed).as("seed %d", seed).isEqualTo(copy);
                assertThat(changed.get(key(id))).as("seed %d", seed).isEqualTo(next);
                assertThat(changed.get(key(size + 1))).as("seed %d", seed).isNull();
                assertThat(before).as("seed %d", seed).isEqualTo(copyBefore);
            }
        }
    }

    @Test
    void only_jobs_of_the_map_change() {
        final Map<JobKey, JobObserved> one = Map.of(key(1), job(1, "anna", 1, RUNNING));

        assertThatThrownBy(() -> ChangedJobs.with(one, key(2), job(2, "anna", 1, RUNNING)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job " + key(2) + " is not in the queue");
    }
}
