package io.millrace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Backoff;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final Action START = new Action.Start(JobKey.of("alpha/1@2026-03-02T11:00:00Z"));
    private static final Result.Refused STALE = new Result.Refused(Refusal.STALE, "does not wait");

    private final CommandView commands = new CommandView(Issuer.BACKFILL);
    private final RetryPolicy retry = new RetryPolicy(new Backoff(Duration.ofSeconds(15), Duration.ofMinutes(1)));

    private void answered(final int try_, final Instant at, final Result result) {
        commands.apply(new Outcome(
                Command.idOf(Issuer.BACKFILL, START, try_),
                ALPHA,
                Issuer.BACKFILL,
                "start",
                START.subject(),
                at,
                result));
    }

    private Optional<Instant> pauseUntil(final Instant observedAt, final Instant now) {
        final RevisionClosed marker = new RevisionClosed(
                ALPHA,
                1,
                observedAt,
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "local",
                Resources.cores(4),
                Resources.cores(4),
                Set.of(),
                0,
                null,
                null,
                Map.of());
        return retry.pause(commands, START, marker, now).map(RetryPolicy.Pause::until);
    }

    @Test
    void what_was_never_answered_may_be_tried() {
        assertThat(pauseUntil(NOON, NOON)).isEmpty();
    }

    @Test
    void a_stale_refusal_waits_for_the_next_revision_only() {
        answered(0, NOON, STALE);

        assertThat(pauseUntil(NOON, NOON.plusSeconds(60))).contains(Instant.MAX);
        assertThat(pauseUntil(NOON.plusSeconds(1), NOON.plusSeconds(2))).isEmpty();
    }

    @Test
    void the_fourth_stale_refusal_in_a_row_is_a_failure_too() {
        for (int i = 0; i < 4; i++) {
            answered(i, NOON.plusSeconds(i), STALE);
        }

        assertThat(pauseUntil(NOON.plusSeconds(5), NOON.plusSeconds(6))).contains(NOON.plusSeconds(63));
    }

    @Test
    void pauses_after_failures_double_up_to_the_longest() {
        answered(0, NOON, new Result.Failed("no"));
        assertThat(pauseUntil(NOON, NOON)).contains(NOON.plusSeconds(15));
        assertThat(pauseUntil(NOON, NOON.plusSeconds(15))).isEmpty();
        answered(1, NOON, new Result.Unclear("killed"));
        assertThat(pauseUntil(NOON, NOON)).contains(NOON.plusSeconds(30));
        answered(2, NOON, new Result.Refused(Refusal.UNSUPPORTED, "cannot"));
        answered(3, NOON, new Result.Failed("no"));
        assertThat(pauseUntil(NOON, NOON)).contains(NOON.plusSeconds(60));
    }

    @Test
    void a_success_settles_for_a_moment_and_forgives_what_was_before() {
        answered(0, NOON, new Result.Failed("no"));
        answered(1, NOON, new Result.Failed("no"));
        answered(2, NOON, new Result.Done(null, "runs"));
        assertThat(pauseUntil(NOON, NOON.plusSeconds(9))).contains(NOON.plusSeconds(10));
        assertThat(pauseUntil(NOON, NOON.plusSeconds(10))).isEmpty();

        answered(3, NOON.plusSeconds(20), new Result.Failed("no"));
        assertThat(pauseUntil(NOON, NOON.plusSeconds(20))).contains(NOON.plusSeconds(35));
    }
}
