package io.millrace.model.cluster;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether a waiting job could start now if its resources were free. Only a job that is {@link EligibleSince} may be started, hold a
 * reservation, or cause a preemption.
 */
public sealed interface Eligibility {

    /** The workload manager does not report it, or its agent is older than this field. */
    Eligibility UNKNOWN = new Unknown();

    /** It could start, and could have started at any time since then. */
    record EligibleSince(Instant since) implements Eligibility {}

    /**
     * It cannot start yet, whatever is free.
     *
     * @param until when it can start at the earliest; null if that depends on an event
     */
    record NotBefore(@Nullable Instant until, Obstacle obstacle) implements Eligibility {}

    /** It may be able to start, or not. */
    record Unknown() implements Eligibility {}

    /** What keeps a job from starting although its resources may be free. */
    enum Obstacle {
        /** The requested begin time ({@code sbatch --begin}, {@code qsub -a}, {@code bsub -b}). */
        BEGIN_TIME,
        /** Another job on which it depends. */
        DEPENDENCY,
        /** A hold that Millrace may not release, or the submission hold of a global job. */
        HOLD,
        /** As many tasks of its array run as its owner allows at once. */
        ARRAY_LIMIT,
        /** An advance reservation of the workload manager, which starts the job itself. */
        ADVANCE_RESERVATION
    }

    static Eligibility since(final Instant since) {
        return new EligibleSince(since);
    }

    static Eligibility not(final Obstacle obstacle) {
        return new NotBefore(null, obstacle);
    }

    /** It cannot start before its requested begin time; null if the workload manager does not report that time. */
    static Eligibility from(final @Nullable Instant begin) {
        return new NotBefore(begin, Obstacle.BEGIN_TIME);
    }
}
