package io.millrace.model.command;

import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.Event;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The result of a command. {@code Begun} is committed before the agent acts, so that after a crash the agent checks instead of repeating.
 *
 * @param action name of the command's action, e.g. {@code start}
 * @param subject the command's subject, so that the outcome can be read without it
 */
public record Outcome(
        CommandId command,
        ClusterId cluster,
        Issuer issuer,
        String action,
        String subject,
        Instant answeredAt,
        Result result)
        implements Event {

    public Outcome {
        if (result instanceof Result.Done done
                && Stream.concat(
                                Stream.ofNullable(done.job()),
                                Stream.ofNullable(done.preempted()).flatMap(List::stream))
                        .anyMatch(job -> !job.cluster().equals(cluster))) {
            throw new IllegalArgumentException(
                    "the outcome of " + command + " on '" + cluster + "' names a job of another cluster");
        }
    }

    @Override
    public String key() {
        return cluster.value();
    }

    /** Whether this closes the command; {@code Begun} does not. */
    public boolean isAnswer() {
        return !(result instanceof Result.Begun);
    }
}
