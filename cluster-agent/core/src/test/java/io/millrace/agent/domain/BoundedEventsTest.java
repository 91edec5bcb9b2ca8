package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.EventCodec;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Placement;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedEventsTest {

    private static final String SMILE = "\uD83D\uDE00";

    @Test
    void texts_that_a_workload_manager_accepts_are_kept() {
        final JobObserved job = job(1, "anna", 1, RUNNING);
        assertThat(BoundedEvents.of(job)).isSameAs(job);
        assertThat(BoundedText.of("é".repeat(4094))).isEqualTo("é".repeat(4094));
        assertThat(BoundedText.of(SMILE.repeat(2048))).isEqualTo(SMILE.repeat(2048));
    }

    @Test
    void a_text_is_not_cut_within_a_character() {
        assertThat(BoundedText.of("x" + SMILE.repeat(3000)))
                .isEqualTo("x" + SMILE.repeat(2047) + "… (6001 characters)");
        assertThat(BoundedText.of("half \uD83D of a pair")).isEqualTo("half ? of a pair");
    }

    @Test
    void a_job_with_any_texts_can_be_written_and_bounding_it_again_changes_nothing() {
        final String huge = "x\uDE00" + SMILE.repeat(EventCodec.MAX_RECORD_BYTES);
        final JobObserved plain = job(1, "anna", 1, new JobState.Unknown(huge));
        final JobObserved job = new JobObserved(
                plain.job(),
                huge,
                plain.owner(),
                null,
                plain.partition(),
                plain.state(),
                huge,
                plain.resources(),
                null,
                plain.eligibility(),
                null,
                0,
                0,
                plain.checkpoint(),
                new JobDetail(
                        null,
                        null,
                        Collections.nCopies(100_000, "afterok:" + huge),
                        Placement.ANYWHERE,
                        false,
                        true,
                        List.of(plain.partition())));

        final JobObserved bounded = BoundedEvents.of(job);
        assertThat(EventCodec.json(bounded).length).isLessThan(EventCodec.MAX_RECORD_BYTES);
        assertThat(bounded.detail().dependencies()).hasSize(101).endsWith("… (100000 dependencies)");
        assertThat(BoundedEvents.of(bounded)).isSameAs(bounded);
    }
}
