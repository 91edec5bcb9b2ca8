package io.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchIdTest {

    private static final BatchId BATCH = BatchId.of("01JNFQ6M5T8W3KZX9B2C4D0000");

    @Test
    void jobs_have_ids_in_their_order_from_which_the_batch_follows() {
        assertThat(BATCH.job(1)).isEqualTo(GlobalJobId.of("01JNFQ6M5T8W3KZX9B2C4D0001"));
        assertThat(BATCH.job(1000)).isEqualTo(GlobalJobId.of("01JNFQ6M5T8W3KZX9B2C4D00Z8"));
        assertThat(IntStream.rangeClosed(1, BatchId.MAX_JOBS).mapToObj(BATCH::job))
                .isSorted()
                .doesNotHaveDuplicates()
                .allMatch(job -> BatchId.around(job).equals(BATCH))
                .noneMatch(job -> BatchId.isBatch(job.value()));
    }

    @Test
    void a_batch_id_is_not_that_of_a_job() {
        assertThat(BatchId.isBatch(BATCH.value())).isTrue();
        assertThatThrownBy(() -> BatchId.of("01JNFQ6M5T8W3KZX9B2C4D0001"))
                .hasMessageContaining("is not a valid batch id");
        assertThatThrownBy(() -> BATCH.job(0)).hasMessage("a batch has job numbers from 1 to 10000, got 0");
    }
}
