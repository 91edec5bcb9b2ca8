package io.millrace.agent.wlm;

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
    public static Optional<Result> result(final Answer<Accepted> answer) {
        return result(answer, accepted -> done(accepted.detail()));
    }

    public static Optional<Result> started(final Answer<StartedTasks> answer) {
        return result(answer, started -> done(started.detail(), started.indices()));
    }

    public static <T> Optional<Result> result(final Answer<T> answer, final Function<T, Result> done) {
        return switch (answer) {
            case Answer.Ok<T> ok -> Optional.of(done.apply(ok.value()));
            case Answer.Trouble<T> trouble ->
                trouble.kind().isDefinite() ? Optional.of(failed(trouble.reason())) : Optional.empty();
        };
    }
}
