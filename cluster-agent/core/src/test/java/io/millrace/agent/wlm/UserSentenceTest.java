package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class UserSentenceTest {

    private static String text(final String reason) {
        final Action requeue = new Action.Requeue(JobKey.of("alpha/7@2026-03-01T12:00:00Z"));
        final Instant at = Instant.parse("2026-03-01T12:30:00.123Z");
        return UserSentence.of(
                        new Command(
                                Command.idOf(Issuer.QUOTA, requeue, 0),
                                ClusterId.of("alpha"),
                                Issuer.QUOTA,
                                1,
                                at,
                                at.plusSeconds(60),
                                List.of(),
                                requeue,
                                reason),
                        "requeued")
                .text();
    }

    @Test
    void it_says_what_was_done_when_and_why() {
        assertThat(text("bob is within quota 8 of project:physics"))
                .isEqualTo(
                        "Millrace requeued this job at 2026-03-01T12:30:00Z: bob is within quota 8 of project:physics");
    }

    @Test
    void it_is_one_short_line_without_delimiters_and_marks() {
        assertThat(text("job '12[7]'\n\"x\" `y` \\ millrace:start=0@1 Millrace:MILLRACE:x"))
                .endsWith("job 12(7) x y  millrace start=0@1 millrace millrace x");
        assertThat(text("4 <5> & 6")).endsWith(": 4 (5) & 6");
        assertThat(text("a".repeat(1000))).hasSize(250).endsWith("aaa...");
    }
}
