package io.millrace.agent.command;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.model.command.Result;
import java.util.Optional;
import java.util.function.Function;

/** Maps the answer of a workload manager to the result of a command. */
public final class ResultMapper {

    private ResultMapper() {}

    public static Result done(final String detail) {
        return new Result.Done(null, detail);
    }

    /** @param tasks indices of the array tasks that started */
    static Result done(final String detail, final String tasks) {
        return Result.Done.started(tasks, detail);
    }

    public static Result failed(final String reason) {
        return new Result.Failed(reason);
    }

    /** The result; empty if it is unknown whether the command took effect. */
    static Optional<Result> result(final Answer<Accepted> answer) {
        return result(answer, accepted -> done(accepted.detail()));
    }

    static Optional<Result> started(final Answer<StartedTasks> answer) {
        return result(answer, started -> done(started.detail(), started.indices()));
    }

    private static <T> Optional<Result> result(final Answer<T> answer, final Function<T, Result> done) {
        return switch (answer) {
            case Answer.Ok<T> ok -> Optional.of(done.apply(ok.value()));
            case Answer.Trouble<T> trouble ->
                isDefinite(trouble.kind()) ? Optional.of(failed(trouble.reason())) : Optional.empty();
        };
    }

    /** Whether this kind of trouble means that the command had no effect. */
    public static boolean isDefinite(final Answer.Kind kind) {
        return switch (kind) {
            case DOWN, DENIED, NO_SUCH_JOB, WRONG_STATE, DOES_NOT_FIT, REJECTED -> true;
            case TIMEOUT, STOPPED, UNREADABLE -> false;
        };
    }
}
