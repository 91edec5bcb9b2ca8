package io.millrace.model.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** How a job can be cut so that only its unfinished part runs again. */
public sealed interface CheckpointMethod {

    /** How long saving may take; the cores do nothing else meanwhile. */
    default Duration grace() {
        return Duration.ZERO;
    }

    /** What a cluster must offer to save a job so; empty for a job that cannot be saved. */
    default Optional<Capability> needed() {
        return switch (this) {
            case None none -> Optional.empty();
            case Application application -> Optional.of(Capability.CHECKPOINT);
            case Native byWlm -> Optional.of(Capability.NATIVE_CHECKPOINT);
            case Criu criu -> Optional.of(Capability.CRIU_CHECKPOINT);
        };
    }

    /** Whether a cluster that offers this can save a job so. */
    default boolean isOffered(final Set<Capability> offered) {
        return needed().filter(offered::contains).isPresent();
    }

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
