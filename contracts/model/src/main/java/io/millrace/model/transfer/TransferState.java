package io.millrace.model.transfer;

import org.jspecify.annotations.Nullable;

/**
 * The state of a transfer.
 *
 * <pre>
 *   Planned --> Copying --> Verified
 *      ^           | \--> Planned (again, after a failure that may pass)
 *      |           +--> Held (after several failures; Planned again when it is released)
 *      +-----------+
 *   Planned, Copying --> Failed; Planned, Copying, Held --> Cancelled
 * </pre>
 */
public sealed interface TransferState {

    /**
     * Waits for a free slot between its two clusters, or for its next try.
     *
     * @param failures counts failed copies
     * @param code the code of the last failure, from {@link io.millrace.model.VetoCode}; null if it has none
     */
    record Planned(int failures, String reason, @Nullable String code) implements TransferState {

        public Planned(final int failures, final String reason) {
            this(failures, reason, null);
        }
    }

    /**
     * The receiving agent copies, or the sending agent writes the tree to an object store.
     *
     * @param cancelReason why the copy is being stopped; null if it is not cancelled
     * @param progress null until the agent has reported one
     * @param bandwidthKibPerSecond its part of the bandwidth limits; null: no limit applied when it started
     * @param through the object store between the clusters; null: the receiving agent reads the files itself
     */
    record Copying(
            int failures,
            @Nullable String cancelReason,
            @Nullable CopyProgress progress,
            @Nullable Integer bandwidthKibPerSecond,
            @Nullable ThroughStore through)
            implements TransferState {

        public Copying(final int tries) {
            this(tries, null, null, null, null);
        }

        public Copying cancelled(final String reason) {
            return new Copying(failures, reason, progress, bandwidthKibPerSecond, through);
        }

        public Copying at(final CopyProgress now) {
            return new Copying(failures, cancelReason, now, bandwidthKibPerSecond, through);
        }

        /** The tree is in the store, and the receiving agent fetches it. */
        public Copying sent() {
            return through == null
                    ? this
                    : new Copying(
                            failures,
                            cancelReason,
                            null,
                            bandwidthKibPerSecond,
                            new ThroughStore(through.store(), true));
        }

        /** Whether the sending agent works. */
        public boolean isSending() {
            return through != null && !through.sent();
        }
    }

    /**
     * Failed several times, and waits until the cause in {@code reason} is removed and the job is released. What has arrived stays.
     *
     * @param code the code of the last failure, from {@link io.millrace.model.VetoCode}; null if it has none
     */
    record Held(int failures, String reason, @Nullable String code) implements TransferState {

        public Held(final int failures, final String reason) {
            this(failures, reason, null);
        }
    }

    /** Arrived, and the checksums on both sides agree. {@code detail} gives files, bytes and digest. */
    record Verified(String detail) implements TransferState {}

    /** Failed; {@code reason} carries the error and the remedy. */
    record Failed(String reason) implements TransferState {}

    /** Cancelled. */
    record Cancelled(String reason) implements TransferState {}

    default boolean isFinal() {
        return switch (this) {
            case Verified v -> true;
            case Failed f -> true;
            case Cancelled d -> true;
            case Planned p -> false;
            case Copying c -> false;
            case Held h -> false;
        };
    }
}
