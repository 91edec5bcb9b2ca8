package io.millrace.agent.action;

import io.millrace.agent.checkpoint.CheckpointRecovery;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.observe.RunEndResolver;
import io.millrace.agent.reclaim.VictimRelease;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Finds out the effect of a command that was started and not answered. It waits until no command line of the crashed agent can still run;
 * then its action examines what it left. It never executes the command again (promise 3).
 *
 * @param delay how long after its {@code Begun} a command line of the crashed agent may still take effect
 */
public record CrashRecovery(
        ActionContext with,
        RunEndResolver ends,
        CheckpointRecovery checkpoints,
        VictimRelease release,
        Clock clock,
        Duration delay) {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofHours(1);

    /** @param begun when {@code Begun} was committed */
    public Result examine(final Command command, final Instant begun) throws InterruptedException {
        final Duration wait = Duration.between(clock.instant(), begun.plus(delay));
        if (wait.isPositive()) {
            Thread.sleep(wait.toMillis());
        }
        return AgentAction.of(command.action()).recover(command, begun, this);
    }

    /** What the queue and accounting show of the action. */
    Result inQueue(final AgentAction action, final Instant begun) throws InterruptedException {
        return untilAnswered(() -> with.wlm().observe().map(seen -> {
            final LiveCluster live = LiveCluster.of(seen.control(), seen.jobs(), seen.nodes());
            return action.effect(new InterruptedCommand(begun, live, ends.endedRuns(action.namedJobs())));
        }));
    }

    Result untilAnswered(final Supplier<Answer<Result>> look) throws InterruptedException {
        final Instant end = clock.instant().plus(TIMEOUT);
        while (true) {
            switch (look.get()) {
                case Answer.Ok<Result> ok -> {
                    return ok.value();
                }
                case Answer.Trouble<Result> trouble -> {
                    if (clock.instant().isAfter(end)) {
                        return new Result.Unclear(
                                "interrupted by a crash, and its effect is unknown: " + trouble.reason());
                    }
                }
            }
            Thread.sleep(POLL_INTERVAL.toMillis());
        }
    }
}
