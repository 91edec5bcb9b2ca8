package io.millrace.log.loop;

import org.jspecify.annotations.Nullable;

/**
 * What two equal failures have in common: the exception and where it was thrown. Its message may contain values that differ.
 *
 * @param thrownAt null if the JVM has omitted the stack trace of an exception that is thrown often
 */
record FailureKind(String exception, @Nullable String thrownAt) {

    static FailureKind of(final Throwable failure) {
        final StackTraceElement[] trace = failure.getStackTrace();
        // The depth at which a stack overflows is arbitrary.
        final boolean isPlaced = trace.length > 0 && !(failure instanceof StackOverflowError);
        return new FailureKind(failure.getClass().getName(), isPlaced ? trace[0].toString() : null);
    }

    boolean isSame(final FailureKind other) {
        return exception.equals(other.exception)
                && (thrownAt == null || other.thrownAt == null || thrownAt.equals(other.thrownAt));
    }
}
