package io.millrace.transfer.domain;

import io.millrace.decide.CommandStatus;
import io.millrace.decide.CommandView;
import io.millrace.model.command.Action;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import io.millrace.model.transfer.TransferState.Copying;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The next step of a copy, from the status of its copy command and of the commands to stop it. */
public final class CopyWatch {

    public sealed interface Step {

        record Move(TransferState next) implements Step {}

        /** Issue a stop command with this number. */
        record Stop(int number) implements Step {}

        record Wait(Optional<Instant> until) implements Step {}
    }

    /** Stop commands per copy; each copy, and each hour of it, has a range of numbers. */
    private static final int STOPS_PER_COPY = 1_000_000;

    private static final int STOPS_PER_HOUR = 10_000;

    private final TransferPolicy policy;
    private final Receivers receivers;

    public CopyWatch(final TransferPolicy policy, final Receivers receivers) {
        this.policy = policy;
        this.receivers = receivers;
    }

    public static Action copyTree(final Transfer transfer) {
        return new Action.CopyTree(
                transfer.id(),
                transfer.owner(),
                transfer.from(),
                transfer.to(),
                transfer.keepChangedSince(),
                transfer.filter(),
                transfer.state() instanceof Copying copying ? copying.bandwidthKibPerSecond() : null,
                transfer.signature());
    }

    /** @param remembered commands and answers before this instant may have been forgotten */
    public Step look(final Transfer transfer, final Copying copying, final Instant remembered, final Instant now) {
        return switch (receivers.commands(transfer.to().cluster()).status(copyTree(transfer), copying.failures())) {
            case CommandStatus.Answered answered ->
                new Step.Move(
                        TransferLifecycle.answered(copying, answered.outcome().result(), policy.maxTries()));
            case CommandStatus.Open open ->
                copying.cancelReason() == null
                        ? new Step.Wait(Optional.of(policy.settled(transfer.since())))
                        : stop(transfer, copying, copying.cancelReason(), now);
            case CommandStatus.Begun begun ->
                begun(transfer, copying, begun.at().plus(policy.copyTimeout()), now);
            case CommandStatus.Unknown nothing -> unheard(transfer, copying, remembered, now);
        };
    }

    private Step begun(final Transfer transfer, final Copying copying, final Instant deadline, final Instant now) {
        if (copying.cancelReason() != null) {
            return stop(transfer, copying, copying.cancelReason(), now);
        }
        return deadline.isAfter(now)
                ? new Step.Wait(Optional.of(deadline))
                : stop(transfer, copying, "it did not end within " + policy.copyTimeout(), now);
    }

    /**
     * Neither command nor answer is known. Either the command expired before it began, or it is older than the retention time (the service
     * was down): then the copy may still run, and is stopped before it is issued again.
     */
    private Step unheard(final Transfer transfer, final Copying copying, final Instant remembered, final Instant now) {
        if (transfer.since().isBefore(remembered.plus(policy.unavailableAfter()))) {
            return stop(transfer, copying, "the result of the copy is no longer on the log", now);
        }
        final Instant settled = policy.settled(transfer.since());
        return settled.isAfter(now)
                ? new Step.Wait(Optional.of(settled))
                : new Step.Move(TransferLifecycle.over(
                        copying, "the agent did not begin the copy within " + policy.commandValidity()));
    }

    /** Stops a copy that runs or may run; {@code reason} explains the next copy if the transfer is not cancelled. */
    private Step stop(final Transfer transfer, final Copying copying, final String why, final Instant now) {
        final int ofThisCopy = copying.failures() * STOPS_PER_COPY;
        final Action action = new Action.StopCopy(transfer.id());
        final CommandView commands = receivers.commands(transfer.to().cluster());
        final int number = commands.newest(action).orElse(-1);
        if (number < ofThisCopy) {
            return new Step.Stop(ofThisCopy + hours(transfer, now) * STOPS_PER_HOUR);
        }
        return switch (commands.status(action, number)) {
            case CommandStatus.Pending pending -> new Step.Wait(Optional.empty());
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

    /** Ids whose answers may be forgotten must not be reused: agents execute each id at most once. */
    private static int hours(final Transfer transfer, final Instant now) {
        return (int)
                Math.clamp(Duration.between(transfer.since(), now).toHours(), 0, STOPS_PER_COPY / STOPS_PER_HOUR - 1);
    }
}
