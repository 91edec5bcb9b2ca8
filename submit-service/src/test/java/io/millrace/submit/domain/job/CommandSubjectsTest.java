package io.millrace.submit.domain.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandSubjectsTest {

    private static final JobKey ONE = JobKey.of("alpha/1@2026-03-01T12:00:00Z");
    private static final JobKey TWO = JobKey.of("alpha/2[7].server@2026-03-01T12:00:00Z");
    private static final String ULID = "01KJMZ3Q00AAAAAAAAAAAAAAAA";

    @Test
    void a_reclaim_is_also_about_its_victims() {
        assertThat(CommandSubjects.of(new Action.Reclaim(List.of(ONE), TWO)))
                .containsExactlyInAnyOrder(ONE.toString(), TWO.toString());
    }

    @Test
    void the_answer_to_a_reclaim_is_also_about_the_jobs_that_it_preempted_from_its_reserve() {
        final Outcome answer = new Outcome(
                CommandId.of("quota:reclaim:" + TWO + ":0"),
                TWO.cluster(),
                Issuer.QUOTA,
                "reclaim",
                TWO.toString(),
                Instant.EPOCH,
                Result.Done.preempted(List.of(ONE), null, "1 of 1 victims left their cores"));
        assertThat(CommandSubjects.of(answer)).containsExactlyInAnyOrder(ONE.toString(), TWO.toString());
    }

    @Test
    void subjects_are_distinguished_by_their_form() {
        assertThat(CommandSubjects.ofText(TWO.toString())).containsExactly(TWO.toString());
        assertThat(CommandSubjects.ofText(ULID + ".1")).containsExactly(ULID);
        assertThat(CommandSubjects.ofText(ULID + ".1/upload")).containsExactly(ULID);
        assertThat(CommandSubjects.ofText("something else")).isEmpty();
    }
}
