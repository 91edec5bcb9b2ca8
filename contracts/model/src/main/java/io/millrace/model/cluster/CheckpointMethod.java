package io.millrace.model.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** How a job saves its state so that only the unfinished part runs again. */
public sealed interface CheckpointMethod {

    /** How long saving may take. */
    default Duration grace() {
        return Duration.ZERO;
    }

    /** The capability that a cluster needs for this method; empty for a job that cannot be checkpointed. */
    default Optional<Capability> needed() {
        return switch (this) {
            case None none -> Optional.empty();
            case Application application -> Optional.of(Capability.CHECKPOINT);
            case Native byWlm -> Optional.of(Capability.NATIVE_CHECKPOINT);
        };
    }

    /** Whether a cluster with these capabilities supports this method. */
    default boolean isOffered(final Set<Capability> offered) {
        return needed().filter(offered::contains).isPresent();
    }

    /** No checkpoints: a requeue loses the work. */
    record None() implements CheckpointMethod {}

    /**
     * The application saves itself: it receives a signal and creates a marker file when its state is saved, before it exits.
     *
     * @param signal name without SIG, e.g. {@code USR1}
     * @param marker file name relative to the job's directory, created by the application when its state is saved
     * @param grace how long it may take
     */
    record Application(String signal, String marker, Duration grace, CheckpointTimeoutAction onTimeout)
            implements CheckpointMethod {

        public Application(final String signal, final String marker, final Duration grace) {
            this(signal, marker, grace, CheckpointTimeoutAction.LEAVE);
        }
    }

    /** The workload manager saves it: LSF's {@code bchkpnt}, PBS's {@code checkpoint_abort}. */
    record Native(Duration grace, CheckpointTimeoutAction onTimeout) implements CheckpointMethod {}
}
