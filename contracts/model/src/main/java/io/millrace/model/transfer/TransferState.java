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
     * The receiving agent copies.
     *
     * @param cancelReason why the copy is being stopped; null if it is not cancelled
     * @param progress null until the agent has reported one
     * @param bandwidthKibPerSecond its part of the bandwidth limits; null: no limit applied when it started
     */
    record Copying(
            int failures,
            @Nullable String cancelReason,
            @Nullable CopyProgress progress,
            @Nullable Integer bandwidthKibPerSecond)
            implements TransferState {

        public Copying(final int tries) {
            this(tries, null, null, null);
        }

        public Copying cancelled(final String reason) {
            return new Copying(failures, reason, progress, bandwidthKibPerSecond);
        }

        public Copying at(final CopyProgress now) {
            return new Copying(failures, cancelReason, now, bandwidthKibPerSecond);
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
