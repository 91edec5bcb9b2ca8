package io.millrace.agent.wlm;

import java.util.function.Function;

/** What a workload manager said: the value asked for, or the trouble it has. Broken machinery is an exception instead. */
public sealed interface Answer<T> {

    record Ok<T>(T value) implements Answer<T> {}

    /** @param because one sentence that names the command, what it said, and the remedy where there is one */
    record Trouble<T>(Kind kind, String because) implements Answer<T> {
        /** The same trouble as the answer to another question. */
        public <R> Trouble<R> of() {
            return new Trouble<>(kind, because);
        }
    }

    /** Kinds of trouble that callers tell apart. */
    enum Kind {
        /** The workload manager cannot be reached: its picture is stale, nothing was done. */
        DOWN,
        /** No answer within the limit: what was asked may or may not have happened. */
        TIMEOUT,
        /** Stopped at our own request before it was over. */
        STOPPED,
        /** The user or the agent may not do this. */
        DENIED,
        NO_SUCH_JOB,
        /** The job is there, but in a state in which this makes no sense. */
        WRONG_STATE,
        /** Understood and declined: unknown partition, more cores than the cluster has… */
        REJECTED,
        /** It answered something this adapter cannot read. */
        UNREADABLE
    }

    static <T> Answer<T> ok(final T value) {
        return new Ok<>(value);
    }

    static <T> Answer<T> trouble(final Kind kind, final String because) {
        return new Trouble<>(kind, because);
    }

    default <R> Answer<R> map(final Function<? super T, ? extends R> change) {
        return switch (this) {
            case Ok<T> ok -> new Ok<>(change.apply(ok.value()));
            case Trouble<T> trouble -> trouble.of();
        };
    }

    /** Goes on with the next question if this one was answered. */
    default <R> Answer<R> then(final Function<? super T, Answer<R>> next) {
        return switch (this) {
            case Ok<T> ok -> next.apply(ok.value());
            case Trouble<T> trouble -> trouble.of();
        };
    }

    /**
     * The value, where trouble would be our own mistake or a broken machine.
     *
     * @throws IllegalStateException with the trouble's text
     */
    default T get() {
        return switch (this) {
            case Ok<T> ok -> ok.value();
            case Trouble<T> trouble -> throw new IllegalStateException(trouble.kind() + ": " + trouble.because());
        };
    }
}
