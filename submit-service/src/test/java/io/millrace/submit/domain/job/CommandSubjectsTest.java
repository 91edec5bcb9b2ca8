package io.millrace.submit.domain.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
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
    void subjects_are_distinguished_by_their_form() {
        assertThat(CommandSubjects.ofText(TWO.toString())).containsExactly(TWO.toString());
        assertThat(CommandSubjects.ofText(ULID + ".1")).containsExactly(ULID);
        assertThat(CommandSubjects.ofText(ULID + ".1/upload")).containsExactly(ULID);
        assertThat(CommandSubjects.ofText("something else")).isEmpty();
    }
}
