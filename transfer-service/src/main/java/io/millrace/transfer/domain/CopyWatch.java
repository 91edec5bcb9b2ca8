package io.millrace.transfer.domain;

import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import io.millrace.model.transfer.TransferState.Copying;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What follows for a copy that was ordered, from how its order and those to stop it stand. */
public final class CopyWatch {

    public sealed interface Step {

        record Move(TransferState next) implements Step {}

        /** Order its end under this number. */
        record Stop(int number) implements Step {}

        record Wait(Optional<Instant> until) implements Step {}
    }

    /** Stop commands of one copy; each copy has its own numbers, and each of its hours. */
    private static final int STOPS_PER_COPY = 1_000_000;

    private static final int STOPS_PER_HOUR = 10_000;

    private final TransferPolicy policy;
    private final CommandTracker orders;

    public CopyWatch(final TransferPolicy policy, final CommandTracker orders) {
        this.policy = policy;
        this.orders = orders;
    }

    public static Action copyTree(final Transfer transfer) {
        return new Action.CopyTree(transfer.id(), transfer.owner(), transfer.from(), transfer.to());
    }

    public static CommandId copyId(final Transfer transfer, final Copying copying) {
        return Command.idOf(Issuer.TRANSFER, copyTree(transfer), copying.failures());
    }

    /** @param remembered orders and answers farther back than this may have been forgotten */
    public Step look(final Transfer transfer, final Copying copying, final Instant remembered, final Instant now) {
        return switch (orders.progress(copyId(transfer, copying), now)) {
            case CommandStatus.Answered answered ->
                new Step.Move(TransferLifecycle.answered(copying, answered.outcome().result(), policy.maxTries()));
            case CommandStatus.Open open ->
                copying.cancelReason() == null
                        ? new Step.Wait(Optional.of(policy.settled(transfer.since())))
                        : stop(transfer, copying, copying.cancelReason(), now);
            case CommandStatus.Begun begun -> begun(transfer, copying, begun.at().plus(policy.copyDeadline()), now);
            case CommandStatus.Unknown nothing -> unheard(transfer, copying, remembered, now);
        };
    }

    private Step begun(final Transfer transfer, final Copying copying, final Instant deadline, final Instant now) {
        if (copying.cancelReason() != null) {
            return stop(transfer, copying, copying.cancelReason(), now);
        }
        return deadline.isAfter(now)
                ? new Step.Wait(Optional.of(deadline))
                : stop(transfer, copying, "it did not end within " + policy.copyDeadline(), now);
    }

    /**
     * No order and no answer are known. Either the order expired without being begun, or it lies farther back than answers are
     * remembered (this service was away): then the copy may still run, and is stopped before it is ordered again.
     */
    private Step unheard(final Transfer transfer, final Copying copying, final Instant remembered, final Instant now) {
        if (transfer.since().isBefore(remembered.plus(policy.silentAfter()))) {
            return stop(transfer, copying, "what became of the copy lies too far back", now);
        }
        final Instant settled = policy.settled(transfer.since());
        return settled.isAfter(now)
                ? new Step.Wait(Optional.of(settled))
                : new Step.Move(TransferLifecycle.over(copying, "the order was not begun within " + policy.validity()));
    }

    /** Ends a copy that runs or may run; {@code why} becomes the reason to begin again if it is still wanted. */
    private Step stop(final Transfer transfer, final Copying copying, final String why, final Instant now) {
        final int ofThisCopy = copying.failures() * STOPS_PER_COPY;
        final Optional<CommandId> last = orders.newest(new Action.StopCopy(transfer.id()), ofThisCopy, STOPS_PER_COPY);
        if (last.isEmpty()) {
            return new Step.Stop(ofThisCopy + hours(transfer, now) * STOPS_PER_HOUR);
        }
        final int number = Command.triesOf(last.get());
        return switch (orders.progress(last.get(), now)) {
            case CommandStatus.Open open -> new Step.Wait(Optional.empty());
            case CommandStatus.Begun begun -> new Step.Wait(Optional.empty());
            case CommandStatus.Unknown nothing -> new Step.Stop(number);
            case CommandStatus.Answered answered -> {
                if (isStopped(answered.outcome().result())) {
                    yield new Step.Move(TransferLifecycle.over(copying, why));
                }
                final Instant due = policy.nextTry(answered.outcome().answeredAt(), 1);
                yield due.isAfter(now) ? new Step.Wait(Optional.of(due)) : new Step.Stop(number + 1);
            }
        };
    }

    private static boolean isStopped(final Result result) {
        return result instanceof Result.Done
                || (result instanceof Result.Refused refused && refused.refusal() == Refusal.STALE);
    }

    /** Ids that were answered longer ago than is remembered must not come again: agents carry out none twice. */
    private static int hours(final Transfer transfer, final Instant now) {
        return (int)
                Math.clamp(Duration.between(transfer.since(), now).toHours(), 0, STOPS_PER_COPY / STOPS_PER_HOUR - 1);
    }
}
