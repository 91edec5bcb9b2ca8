package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.GlobalJobId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SubmissionOffsetsTest {

    private static final GlobalJobId JOB = GlobalJobId.of("01KJMZ3Q00AAAAAAAAAAAAAAAA");
    private static final GlobalJobId OTHER = GlobalJobId.of("01KJMZ3Q00BBBBBBBBBBBBBBBB");

    private final SubmissionOffsets offsets = new SubmissionOffsets(10);

    @Test
    void the_lowest_offset_of_an_id_is_the_first() throws InterruptedException {
        read(JOB, 10);
        read(JOB, 11);

        assertThat(offsets.find(JOB)).hasValue(10);
        assertThat(isFirst(10, offsets.begin())).isTrue();
        assertThat(isFirst(11, offsets.begin())).isFalse();
    }

    @Test
    void a_request_waits_until_its_submission_has_been_read() {
        final CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(
                () -> isFirst(11, 10), task -> Thread.ofVirtual().start(task));
        read(OTHER, 10);
        read(JOB, 11);

        assertThat(first).succeedsWithin(Duration.ofMinutes(5)).isEqualTo(true);
    }

    @Test
    void a_submission_that_is_not_read_in_time_is_not_known_to_be_the_first() throws InterruptedException {
        assertThat(offsets.isFirst(JOB, 10, offsets.begin(), Duration.ZERO)).isFalse();
    }

    @Test
    void a_request_that_began_before_submissions_were_forgotten_cannot_know_whether_it_is_the_first() {
        final long since = offsets.begin();
        read(JOB, 10);
        read(OTHER, 11);
        offsets.forgetBefore(11);
        read(JOB, 12);

        assertThat(offsets.size()).isEqualTo(2);
        assertThat(isFirst(12, since)).isFalse();
        assertThat(isFirst(12, offsets.begin())).isTrue(); // the request found no earlier job in the read model
    }

    @Test
    void the_newest_record_may_be_no_submission_and_is_before_the_end_of_a_transaction() throws InterruptedException {
        assertThat(offsets.newest()).isEmpty();
        read(JOB, 10);
        offsets.passed(11); // a request to stop a job
        offsets.advance(13); // the mark of a commit

        assertThat(offsets.awaitEnd(13, Duration.ZERO)).isTrue();
        assertThat(offsets.newest()).hasValue(11);
        assertThat(offsets.awaitEnd(14, Duration.ZERO)).isFalse();
    }

    private void read(final GlobalJobId job, final long offset) {
        offsets.add(job.value(), offset);
        offsets.passed(offset);
        offsets.advance(offset + 1);
    }

    private boolean isFirst(final long offset, final long since) {
        try {
            return offsets.isFirst(JOB, offset, since, Duration.ofMinutes(5));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
