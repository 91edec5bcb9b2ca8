package io.millrace.agent.domain;

import io.millrace.model.command.Refusal;

/** Whether a command may be begun. */
public sealed interface Verdict {

    record Begin() implements Verdict {}

    record Refuse(Refusal why, String because) implements Verdict {}

    static Verdict stale(final String because) {
        return new Refuse(Refusal.STALE, because);
    }
}
