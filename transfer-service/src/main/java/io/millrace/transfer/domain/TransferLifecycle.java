package io.millrace.transfer.domain;

import io.millrace.model.UserName;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.TransferState;
import io.millrace.model.transfer.TransferState.Cancelled;
import io.millrace.model.transfer.TransferState.Copying;
import io.millrace.model.transfer.TransferState.Failed;
import io.millrace.model.transfer.TransferState.Held;
import io.millrace.model.transfer.TransferState.Planned;
import io.millrace.model.transfer.TransferState.Verified;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a transfer.
 *
 * <pre>
 *   Planned --begun--> Copying --Done--> Verified
 *    |   ^              |  |  \--Refused permanently--> Failed
 *    |   +--- retry ----+  +--cancelled, then answered or stopped--> Cancelled
 *    |   |              +--Failed, Unclear (too often)--> Held
 *    |   +-- released ----- Held
 *    +--cancelled--> Cancelled <--cancelled-- Held
 * </pre>
 *
 * A finished copy is Verified even if the transfer was cancelled. A refusal because of lateness does not count as a failure: the copy is
 * issued again without limit.
 */
public final class TransferLifecycle {

    private TransferLifecycle() {}

    /** The state after the answer to the copy command. */
    static TransferState answered(final Copying copying, final Result result, final int maxTries) {
        if (result instanceof Result.Done done) {
            return new Verified(done.detail());
        }
        if (copying.cancelReason() != null) {
            return new Cancelled(copying.cancelReason());
        }
        return switch (result) {
            case Result.Done done -> new Verified(done.detail());
            case Result.Begun begun -> copying;
            case Result.Failed failed -> againOrHeld(copying, failed.reason(), failed.code(), maxTries);
            case Result.Unclear unclear ->
                againOrHeld(copying, "the result of the copy is unclear: " + unclear.reason(), null, maxTries);
            case Result.Refused refused ->
                isForGood(refused)
                        ? new Failed("the receiving agent refused: " + refused.reason())
                        : again(copying, "the receiving agent refused: " + refused.reason(), null);
        };
    }

    /** The state after a copy that certainly does not run and was not answered. */
    static TransferState over(final Copying copying, final String why) {
        return copying.cancelReason() != null ? new Cancelled(copying.cancelReason()) : again(copying, why, null);
    }

    /** The state after a cancel request; empty if it changes nothing. */
    public static Optional<TransferState> cancelled(final TransferState state, final String reason) {
        return switch (state) {
            case Planned p -> Optional.of(new Cancelled(reason));
            case Copying c -> c.cancelReason() == null ? Optional.of(c.cancelled(reason)) : Optional.empty();
            case Held h -> Optional.of(new Cancelled(reason));
            case Verified v -> Optional.empty();
            case Failed f -> Optional.empty();
            case Cancelled d -> Optional.empty();
        };
    }

    /** The state after a release; empty if it changes nothing. The copies are counted on, because their numbers name commands. */
    public static Optional<TransferState> released(final TransferState state, final UserName by) {
        return state instanceof Held held
                ? Optional.of(new Planned(held.failures(), "released by " + by))
                : Optional.empty();
    }

    private static TransferState againOrHeld(
            final Copying copying, final String reason, final @Nullable String code, final int maxTries) {
        final int tries = copying.failures() + 1;
        return tries % maxTries == 0
                ? new Held(tries, tries + " copies failed; the last one: " + reason, code)
                : again(copying, reason, code);
    }

    private static TransferState again(final Copying copying, final String why, final @Nullable String code) {
        return new Planned(copying.failures() + 1, why, code);
    }

    private static boolean isForGood(final Result.Refused refused) {
        return refused.refusal() == Refusal.NOT_PERMITTED || refused.refusal() == Refusal.UNSUPPORTED;
    }
}
