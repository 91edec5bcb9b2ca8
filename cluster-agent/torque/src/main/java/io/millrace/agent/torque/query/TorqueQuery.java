package io.millrace.agent.torque.query;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.Map;

/** A command that only reads. */
public interface TorqueQuery<T> extends CommandLine<T> {

    TorqueSite site();

    @Override
    default Map<String, String> environment() {
        return site().queryEnvironment();
    }

    @Override
    default Duration limit() {
        return Duration.ofSeconds(30);
    }

    /** @throws IllegalArgumentException if the output is unreadable */
    T parse(String output);

    @Override
    default Answer<T> read(final CommandResult result) {
        final String what = "'" + String.join(" ", argv().subList(0, Math.min(3, argv().size()))) + "'";
        if (!result.succeeded()) {
            return TorqueErrors.of(what, result, Answer.Kind.UNREADABLE);
        }
        try {
            return Answer.ok(parse(result.outputText()));
        } catch (final IllegalArgumentException e) {
            return Answer.trouble(Answer.Kind.UNREADABLE, "cannot read the output of " + what + ": " + e.getMessage());
        }
    }
}
