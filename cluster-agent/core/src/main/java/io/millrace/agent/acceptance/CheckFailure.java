package io.millrace.agent.acceptance;

import io.millrace.agent.wlm.Answer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The workload manager did something else than Millrace relies on. The message says what was expected and what was seen. */
public final class CheckFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CheckFailure(final String message) {
        super(message);
    }

    static void unless(final boolean holds, final String message) {
        if (!holds) {
            throw new CheckFailure(message);
        }
    }

    static void unlessEqual(final String what, final @Nullable Object seen, final @Nullable Object expected) {
        unless(Objects.equals(seen, expected), what + " is " + seen + ", expected " + expected);
    }

    /** The value of an answer. */
    static <T> T valueOf(final Answer<T> answer) {
        return switch (answer) {
            case Answer.Ok<T> ok -> ok.value();
            case Answer.Trouble<T> trouble -> throw new CheckFailure(trouble.kind() + ": " + trouble.reason());
        };
    }
}
