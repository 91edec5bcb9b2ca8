package io.millrace.transfer.domain;

import io.millrace.decide.CommandStatus;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.StagedCopyState;
import io.millrace.model.transfer.StagedCopyState.Kept;
import io.millrace.model.transfer.StagedCopyState.Removed;
import io.millrace.model.transfer.StagedCopyState.Removing;
import java.time.Instant;
import java.util.Optional;

/** What follows the answer to a removal. A removal never fails for good: it is repeated for as long as the copy exists. */
public final class RemovalLifecycle {

    private final TransferPolicy policy;
    private final Receivers receivers;

    public RemovalLifecycle(final TransferPolicy policy, final Receivers receivers) {
        this.policy = policy;
        this.receivers = receivers;
    }

    public static Action action(final StagedCopy copy) {
        return new Action.RemoveCopy(copy.attempt(), copy.owner(), copy.place().path(), copy.signature());
    }

    /** The state after what is known of the removal; empty while it may still be answered. */
    public Optional<StagedCopyState> next(final StagedCopy copy, final Removing state, final Instant now) {
        return switch (receivers.commands(copy.place().cluster()).status(action(copy), state.failures())) {
            case CommandStatus.Answered answered ->
                Optional.of(after(state, answered.outcome().result(), now));
            case CommandStatus.Pending pending -> Optional.empty();
            case CommandStatus.Unknown unknown ->
                policy.settled(copy.since()).isAfter(now)
                        ? Optional.empty()
                        : Optional.of(again(state, "the agent did not answer", now));
        };
    }

    private StagedCopyState after(final Removing state, final Result result, final Instant now) {
        return switch (result) {
            case Result.Done done -> new Removed(done.detail());
            case Result.Begun begun -> state;
            case Result.Refused refused -> again(state, "the agent refused it: " + refused.reason(), now);
            case Result.Failed failed -> again(state, failed.reason(), now);
            case Result.Unclear unclear -> again(state, unclear.reason(), now);
        };
    }

    private Kept again(final Removing state, final String why, final Instant now) {
        final int failures = state.failures() + 1;
        return new Kept(
                now.plus(policy.removalBackoff().after(failures)), "removal " + failures + " failed: " + why, failures);
    }
}
