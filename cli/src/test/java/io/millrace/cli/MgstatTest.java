package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MgstatTest {

    @Test
    void a_job_in_the_queue_of_a_cluster_is_explained_by_the_id_that_its_cluster_gave_it() {
        assertThat(Mgstat.whyPath("pbs/4")).isEqualTo("/local-jobs/why?job=pbs%2F4");
        assertThat(Mgstat.whyPath("alpha/153_[1-9]@2026-03-01T12:00:01Z"))
                .isEqualTo("/local-jobs/why?job=alpha%2F153_%5B1-9%5D%402026-03-01T12%3A00%3A01Z");
        assertThat(Mgstat.whyPath("01KJMZ3Q")).isEqualTo("/jobs/01KJMZ3Q/why");
    }
}
