package io.millrace.agent.command;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Result;
import java.util.Optional;

/** Maps the answer of a workload manager to the result of a command. */
public final class ResultMapper {

    private ResultMapper() {}

    public static Result done(final String detail) {
        return new Result.Done(null, detail);
    }

    public static Result failed(final String reason) {
        return new Result.Failed(reason);
    }

    /** The result; empty if it is unknown whether the command took effect. */
    static Optional<Result> result(final Answer<Accepted> answer) {
        return switch (answer) {
            case Answer.Ok<Accepted> ok -> Optional.of(done(ok.value().detail()));
            case Answer.Trouble<Accepted> trouble ->
                isDefinite(trouble.kind()) ? Optional.of(failed(trouble.reason())) : Optional.empty();
        };
    }

    /** Whether this kind of trouble means that the command had no effect. */
    public static boolean isDefinite(final Answer.Kind kind) {
        return switch (kind) {
            case DOWN, DENIED, NO_SUCH_JOB, WRONG_STATE, REJECTED -> true;
            case TIMEOUT, STOPPED, UNREADABLE -> false;
        };
    }
}
