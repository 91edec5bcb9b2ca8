package io.millrace.model.transfer;

import org.jspecify.annotations.Nullable;

/**
 * The state of a transfer.
 *
 * <pre>
 *   Planned --> Copying --> Verified
 *      |           | \--> Planned (again, after a failure that may pass)
 *      +-----------+--> Failed | Dropped
 * </pre>
 */
public sealed interface TransferState {

    /** Waits for a free slot between its two clusters; {@code failures} counts failed copies. */
    record Planned(int failures, String reason) implements TransferState {}

    /**
     * The receiving agent copies.
     *
     * @param cancelReason why the copy is being stopped; null if it is not cancelled
     */
    record Copying(int failures, @Nullable String cancelReason) implements TransferState {

        public Copying(final int tries) {
            this(tries, null);
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
        };
    }
}
