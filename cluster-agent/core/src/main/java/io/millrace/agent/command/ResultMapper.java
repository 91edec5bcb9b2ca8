package io.millrace.agent.command;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Result;
import java.util.Optional;

/** Reads what a workload manager said to an order as a result on the log. */
public final class ResultMapper {

    private ResultMapper() {}

    public static Result done(final String detail) {
        return new Result.Done(null, detail);
    }

    public static Result failed(final String because) {
        return new Result.Failed(because);
    }

    /** The result; empty if it cannot be told from the answer whether the order took effect, so that somebody has to look. */
    static Optional<Result> result(final Answer<Accepted> answer) {
        return switch (answer) {
            case Answer.Ok<Accepted> ok -> Optional.of(done(ok.value().detail()));
            case Answer.Trouble<Accepted> trouble ->
                isDefinite(trouble.kind()) ? Optional.of(failed(trouble.because())) : Optional.empty();
        };
    }

    /** Whether this trouble says that nothing was done. */
    public static boolean isDefinite(final Answer.Kind kind) {
        return switch (kind) {
            case DOWN, DENIED, NO_SUCH_JOB, WRONG_STATE, REJECTED -> true;
            case TIMEOUT, STOPPED, UNREADABLE -> false;
        };
    }
}
