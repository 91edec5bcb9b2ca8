package io.millrace.migration.domain.job;

import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Samples;
import io.millrace.model.UserName;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Waiting;
import io.millrace.model.job.JobSubmitted;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GlobalJobsTest {

    private final GlobalJobs jobs = new GlobalJobs();

    private void waits(final String letter, final String owner, final @Nullable Integer priority) {
        final JobSubmitted sample = job(letter).submitted(Samples.NOON);
        final JobSubmitted submission = new JobSubmitted(
                sample.job(),
                1,
                UserName.of(owner),
                sample.spec(),
                sample.source(),
                sample.directory(),
                sample.target(),
                sample.submittedAt(),
                sample.signature());
        jobs.put(new GlobalJob(submission, new Waiting("accepted"), List.of(), null, Samples.NOON, 1, null, priority));
    }

    private List<String> order() {
        return jobs.waiting().groups().stream()
                .flatMap(group -> group.jobs().stream())
                .sorted(Comparator.comparing(jobs.waiting()::place))
                .map(job -> job.value().substring(25))
                .toList();
    }

    @Test
    void the_oldest_job_is_first() {
        waits("C", "anna", null);
        waits("A", "anna", null);
        waits("B", "bob", 0);

        assertThat(order()).containsExactly("A", "B", "C");
    }

    @Test
    void a_priority_orders_the_jobs_of_its_owner_and_no_others() {
        waits("A", "anna", null);
        waits("B", "bob", null);
        waits("C", "anna", 5);
        waits("D", "bob", -1);
        waits("E", "anna", null);
        waits("F", "anna", 5);

        assertThat(order()).containsExactly("C", "B", "F", "D", "A", "E");
    }
}
