package io.millrace.model.transfer;

import org.jspecify.annotations.Nullable;

/**
 * How far a transfer is.
 *
 * <pre>
 *   Planned --> Copying --> Verified
 *      |           | \--> Planned (again, after a failure that may pass)
 *      +-----------+--> Failed | Dropped
 * </pre>
 */
public sealed interface TransferState {

    /** Waits for a free place between its two clusters; {@code tries} counts copies that failed before. */
    record Planned(int failures, String reason) implements TransferState {}

    /**
     * The receiving agent has been told to copy.
     *
     * @param cancelReason why the copy is no longer wanted and is being stopped; null while it is wanted
     */
    record Copying(int failures, @Nullable String cancelReason) implements TransferState {

        public Copying(final int tries) {
            this(tries, null);
        }
    }

    /** Arrived, and the checksums on both sides agree. {@code detail} gives files, bytes and digest. */
    record Verified(String detail) implements TransferState {}

    /** Given up; {@code because} carries what the copy said and what to do. */
    record Failed(String reason) implements TransferState {}

    /** No longer wanted. */
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
