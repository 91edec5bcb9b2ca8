package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.PartitionName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelocationTest {

    private static final Answer<Accepted> DONE = Answer.ok(new Accepted("done"));
    private static final Answer<Accepted> NO = Answer.trouble(Answer.Kind.REJECTED, "the queue is closed");
    private static final Answer<Accepted> SILENT = Answer.trouble(Answer.Kind.TIMEOUT, "no answer");

    private final List<String> did = new ArrayList<>();

    private Answer<Accepted> start(
            final Answer<Accepted> move, final Answer<Accepted> start, final Answer<Accepted> back) {
        return new Relocation(
                        new JobId(ClusterId.of("alpha"), "12"), PartitionName.of("main"), PartitionName.of("fast"))
                .execute(() -> says("move", move), () -> says("start", start), () -> says("back", back));
    }

    private Answer<Accepted> says(final String step, final Answer<Accepted> answer) {
        did.add(step);
        return answer;
    }

    private static String because(final Answer<Accepted> answer) {
        return ((Answer.Trouble<Accepted>) answer).reason();
    }

    @Test
    void a_job_is_moved_and_then_started() {
        assertThat(start(DONE, DONE, DONE).get().detail()).contains("fast", "main");
        assertThat(did).containsExactly("move", "start");
    }

    @Test
    void what_is_not_moved_is_not_started_and_waits_where_it_did() {
        assertThat(because(start(NO, DONE, DONE)))
                .contains("fast", "waits in partition main as before", "the queue is closed");
        assertThat(did).containsExactly("move");
    }

    @Test
    void what_does_not_start_there_is_moved_back() {
        assertThat(because(start(DONE, NO, DONE))).contains("waits in partition main as before", "the queue is closed");
        assertThat(did).containsExactly("move", "start", "back");
    }

    @Test
    void what_cannot_be_moved_back_is_said_to_wait_there() {
        assertThat(because(start(DONE, NO, NO))).contains("waits there now", "could not be moved back to main");
    }

    @Test
    void a_job_that_may_have_started_is_left_alone() {
        assertThat(start(DONE, SILENT, DONE)).isEqualTo(SILENT);
        assertThat(start(SILENT, DONE, DONE)).isEqualTo(SILENT);
        assertThat(did).containsExactly("move", "start", "move");
    }
}
