package io.millrace.agent.wlm;

import java.util.function.Function;

/** The answer of a workload manager: a value, or an expected failure. Broken infrastructure is an exception instead. */
public sealed interface Answer<T> {

    record Ok<T>(T value) implements Answer<T> {}

    /** @param reason one sentence with the command, its output, and the remedy if there is one */
    record Trouble<T>(Kind kind, String reason) implements Answer<T> {
        /** The same failure as the answer to another query. */
        public <R> Trouble<R> of() {
            return new Trouble<>(kind, reason);
        }

        /** Whether the job of the query has left the queue or has ended. */
        public boolean isJobGone() {
            return kind == Kind.NO_SUCH_JOB || kind == Kind.WRONG_STATE;
        }
    }

    /** Kinds of failure that callers distinguish. */
    enum Kind {
        /** The workload manager is unreachable; nothing was done. */
        DOWN,
        /** No answer within the limit; the command may or may not have taken effect. */
        TIMEOUT,
        /** Stopped by the agent before it had finished. */
        STOPPED,
        /** The user or the agent has no permission for this. */
        DENIED,
        NO_SUCH_JOB,
        /** The job exists, but its state does not allow this. */
        WRONG_STATE,
        /** The job cannot start on what is free now, by the rule with which the adapter or the workload manager selects nodes. */
        DOES_NOT_FIT,
        /** The workload manager rejected the request, e.g. for an unknown partition or more cores than the cluster has. */
        REJECTED,
        /** The adapter cannot parse the output. */
        UNREADABLE;

        /** Whether a command with this failure had no effect. */
        public boolean isDefinite() {
            return switch (this) {
                case DOWN, DENIED, NO_SUCH_JOB, WRONG_STATE, DOES_NOT_FIT, REJECTED -> true;
                case TIMEOUT, STOPPED, UNREADABLE -> false;
            };
        }
    }

    static <T> Answer<T> ok(final T value) {
        return new Ok<>(value);
    }

    static <T> Answer<T> trouble(final Kind kind, final String reason) {
        return new Trouble<>(kind, reason);
    }

    default <R> Answer<R> map(final Function<? super T, ? extends R> change) {
        return switch (this) {
            case Ok<T> ok -> new Ok<>(change.apply(ok.value()));
            case Trouble<T> trouble -> trouble.of();
        };
    }

    /** Continues with the next query if this one succeeded. */
    default <R> Answer<R> then(final Function<? super T, Answer<R>> next) {
        return switch (this) {
            case Ok<T> ok -> next.apply(ok.value());
            case Trouble<T> trouble -> trouble.of();
        };
    }

    /**
     * The value, where trouble would be a bug or a broken machine.
     *
     * @throws IllegalStateException with the text of the trouble
     */
    default T get() {
        return switch (this) {
            case Ok<T> ok -> ok.value();
            case Trouble<T> trouble -> throw new IllegalStateException(trouble.kind() + ": " + trouble.reason());
        };
    }
}
