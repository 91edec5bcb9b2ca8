package io.millrace.agent.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.CommandView;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnsweredCommandsTest {

    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private final AnsweredCommands answered = new AnsweredCommands();

    @Test
    void a_command_that_is_on_the_log_twice_is_the_same_command() {
        answered.add(start(NOON).id(), NOON.plusSeconds(5));

        assertThat(answered.covers(start(NOON))).isTrue();
        assertThat(answered.covers(start(NOON.plusSeconds(60)))).isTrue();
    }

    @Test
    void a_job_preempted_hours_after_its_start_may_be_started_again_under_the_id_that_deciders_have_forgotten() {
        answered.add(start(NOON).id(), NOON.plusSeconds(5));

        assertThat(answered.covers(start(NOON.plus(CommandView.RETENTION).plusSeconds(6))))
                .isFalse();
        assertThat(answered.contains(start(NOON).id())).isTrue();
    }

    @Test
    void the_newest_answer_counts() {
        final Instant later = NOON.plus(Duration.ofHours(3));
        answered.add(start(NOON).id(), NOON.plusSeconds(5));
        answered.add(start(later).id(), later.plusSeconds(5));

        assertThat(answered.covers(start(later))).isTrue();
    }

    @Test
    void what_is_older_than_the_log_is_read_back_is_forgotten() {
        answered.add(start(NOON).id(), NOON);
        answered.add(other().id(), NOON.plus(Duration.ofHours(26)));

        assertThat(answered.contains(start(NOON).id())).isFalse();
    }

    private static Command start(final Instant issued) {
        return command(new Action.Start(JobKey.of("alpha/1@2026-11-20T08:00:00Z")), issued);
    }

    private static Command other() {
        return command(new Action.Start(JobKey.of("alpha/2@2026-11-20T08:00:00Z")), NOON);
    }

    private static Command command(final Action action, final Instant issued) {
        return new Command(
                Command.idOf(Issuer.BACKFILL, action, 0),
                ClusterId.of("alpha"),
                Issuer.BACKFILL,
                1,
                issued,
                issued.plusSeconds(60),
                List.of(),
                action,
                "fits");
    }
}
