package io.millrace.migration.domain.attempt;

import io.millrace.model.VetoCode;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.transfer.TransferState;
import java.util.Optional;
import java.util.stream.Stream;

/** Copies whose files found no room at their destination. */
public final class NoRoom {

    private NoRoom() {}

    /** Why the last copy of a transfer found no room; empty if it did not fail, or for another reason. */
    static Optional<VetoCode> code(final TransferState state) {
        final String code = switch (state) {
            case TransferState.Planned planned -> planned.code();
            case TransferState.Held held -> held.code();
            default -> null;
        };
        return Stream.of(VetoCode.DISK_FULL, VetoCode.DISK_QUOTA_EXCEEDED)
                .filter(known -> known.code().equals(code))
                .findFirst();
    }

    /** The end of the attempt that such a copy served; empty if the last copy found room. */
    public static Optional<AttemptEnd> end(final TransferState state) {
        return code(state)
                .map(code -> new AttemptEnd(
                        code == VetoCode.DISK_FULL ? AttemptEnd.Cause.DISK_FULL : AttemptEnd.Cause.DISK_QUOTA_EXCEEDED,
                        reason(state)));
    }

    private static String reason(final TransferState state) {
        return switch (state) {
            case TransferState.Planned planned -> planned.reason();
            case TransferState.Held held -> held.reason();
            default -> throw new IllegalArgumentException(state + " has no reason of a failed copy");
        };
    }

    /** The code of an attempt that ended because its files found no room. */
    public static VetoCode code(final AttemptEnd end) {
        return end.cause() == AttemptEnd.Cause.DISK_FULL ? VetoCode.DISK_FULL : VetoCode.DISK_QUOTA_EXCEEDED;
    }
}
