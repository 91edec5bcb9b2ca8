package io.millrace.model.cluster;

import java.time.Duration;

/** How a job can be cut so that only its unfinished part runs again. */
public sealed interface CheckpointMethod {

    /** It cannot: a requeue loses its work. */
    record None() implements CheckpointMethod {}

    /**
     * The application saves itself: it is signalled, and says it is done by creating a file while it is still alive.
     *
     * @param signal name without SIG, e.g. {@code USR1}
     * @param marker file name relative to the job's directory, created by the application when its state is saved
     * @param grace how long it may take
     */
    record Application(String signal, String marker, Duration grace, IfLate ifLate) implements CheckpointMethod {

        public Application(final String signal, final String marker, final Duration grace) {
            this(signal, marker, grace, IfLate.LEAVE);
        }
    }

    /** The workload manager saves it: LSF's {@code bchkpnt}, PBS's {@code checkpoint_abort}. */
    record Native(Duration grace, IfLate ifLate) implements CheckpointMethod {}

    /** CRIU saves its processes from outside; the job runs on one node and holds no connections. */
    record Criu(Duration grace, IfLate ifLate) implements CheckpointMethod {}
}
