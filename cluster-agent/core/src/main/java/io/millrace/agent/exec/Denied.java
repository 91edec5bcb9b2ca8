package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;

/** Runs nothing: every answer is {@code DENIED} with this reason. */
public record Denied(String reason) implements Runner {

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        return Answer.trouble(Answer.Kind.DENIED, reason);
    }

    @Override
    public Runner as(final UserName other) {
        return this;
    }
}
