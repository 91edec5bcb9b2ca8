package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import org.junit.jupiter.api.Test;

class RunIdTest {

    private static final JobKey JOB = JobKey.of("alpha/1@2026-03-01T12:00:00Z");

    @Test
    void run_ids_are_unique_and_stable() {
        final String id = Digests.ofRun(JOB, 1);
        assertThat(id).hasSize(32).isEqualTo(Digests.ofRun(JOB, 1));
        assertThat(id)
                .isNotEqualTo(Digests.ofRun(JOB, 2))
                .isNotEqualTo(Digests.ofRun(JobKey.of("beta/1@2026-03-01T12:00:00Z"), 1));
    }

    @Test
    void ids_sort_by_submission() {
        assertThat(Digests.ofRun(JOB, 9)).isLessThan(Digests.ofRun(JobKey.of("alpha/0@2026-03-01T12:00:01Z"), 1));
        assertThat(Digests.ofRun(JobKey.of("alpha/0@1970-01-01T00:00:00Z"), 1)).startsWith("0000000000");
    }
}
