package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.transfer.CopyProgress;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The transfer that a job waits for. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "JobTransfer")
public record TransferStateView(
        String id,

        @Schema(
                description = "held: failed several times, and waits until the job is released",
                enumeration = {"planned", "copying", "held", "verified", "failed", "cancelled"})
        String state,

        @Schema(description = "Bytes of the files that this copy has transferred; absent until they are known")
        @Nullable
        Long bytes,

        @Schema(description = "Percent of the bytes of the whole directory") @Nullable
        Integer percent,

        @Nullable Long bytesPerSecond,

        @Schema(description = "At the present rate; absent if unknown") @Nullable
        Long secondsLeft) {

    static @Nullable TransferStateView of(final @Nullable Transfer transfer) {
        if (transfer == null) {
            return null;
        }
        final CopyProgress progress =
                transfer.state() instanceof TransferState.Copying copying ? copying.progress() : null;
        final String state = transfer.state().getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return progress == null
                ? new TransferStateView(transfer.id().value(), state, null, null, null, null)
                : new TransferStateView(
                        transfer.id().value(),
                        state,
                        progress.bytes(),
                        progress.percent(),
                        progress.bytesPerSecond(),
                        progress.secondsLeft());
    }
}
