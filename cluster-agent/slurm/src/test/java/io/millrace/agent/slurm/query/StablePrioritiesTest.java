package io.millrace.agent.slurm.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A job that only ages keeps its published priority. */
class StablePrioritiesTest {

    private final StablePriorities priorities = new StablePriorities();

    @Test
    void jobs_that_only_age_keep_their_published_priority() {
        final List<JobObserved> first = priorities.stabilize(List.of(job("1", 100), job("2", 50)));

        assertThat(priorities.stabilize(List.of(job("1", 160), job("2", 110)))).isEqualTo(first);
        assertThat(priorities.stabilize(List.of(job("1", 900), job("2", 870)))).isEqualTo(first);
    }

    @Test
    void a_new_order_updates_only_the_affected_jobs() {
        priorities.stabilize(List.of(job("1", 100), job("2", 50), job("3", 10)));

        assertThat(priorities.stabilize(List.of(job("1", 160), job("2", 170), job("3", 70))))
                .extracting(JobObserved::priority)
                .containsExactly(160L, 170L, 10L);
    }

    @Test
    void a_new_job_updates_the_jobs_that_it_would_wrongly_overtake() {
        priorities.stabilize(List.of(job("old", 100), job("older", 500)));

        assertThat(priorities.stabilize(List.of(job("old", 150), job("older", 550), job("new", 120))))
                .extracting(JobObserved::priority)
                .containsExactly(150L, 500L, 120L);
    }

    @Test
    void any_other_change_updates_the_priority() {
        priorities.stabilize(List.of(job("1", 100)));

        assertThat(priorities.stabilize(
                        List.of(job("1", 130).in(new JobState.Held(io.millrace.model.cluster.HoldKind.USER)))))
                .extracting(JobObserved::priority)
                .containsExactly(130L);
    }

    @Test
    void the_published_priorities_are_always_in_slurms_order() {
        final Random random = new Random(1);
        List<JobObserved> jobs = new ArrayList<>();
        for (int round = 0; round < 200; round++) {
            final List<JobObserved> next = new ArrayList<>();
            for (final JobObserved job : jobs) {
                if (random.nextInt(10) > 0) {
                    next.add(job(job.job().id().local(), job.priority() + random.nextInt(20)));
                }
            }
            next.add(job("j" + round, random.nextInt(400)));
            jobs = next;
            final List<JobObserved> published = priorities.stabilize(jobs);
            for (int a = 0; a < jobs.size(); a++) {
                for (int b = 0; b < jobs.size(); b++) {
                    assertThat(Integer.signum(Comparator.comparingLong(JobObserved::priority)
                                    .compare(published.get(a), published.get(b))))
                            .as("round %d", round)
                            .isEqualTo(Integer.signum(Long.compare(
                                    jobs.get(a).priority(), jobs.get(b).priority())));
                }
            }
        }
    }

    private static JobObserved job(final String id, final long priority) {
        return new JobObserved(
                new JobKey(new JobId(ClusterId.of("alpha"), id), Instant.EPOCH),
                id,
                UserName.of("alice"),
                null,
                PartitionName.of("main"),
                new JobState.Queued(),
                null,
                Resources.cores(1),
                null,
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                priority,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }
}
